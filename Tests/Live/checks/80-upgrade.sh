# A newer package over running daemons, and away with all of it.
# shellcheck shell=bash

system_before=$(main_process)
user_before=$(property alice MainPID)
newer() {
    local folder
    folder=$(mktemp -d)
    dpkg-deb --raw-extract packages/defaultsd_*.deb "$folder" &&
        sed -i 's/^Version: .*/&+newer/' "$folder/DEBIAN/control" &&
        dpkg-deb --root-owner-group -Znone --build "$folder" newer.deb && dpkg --install newer.deb
}
check "a newer package installs over running daemons" newer
moved_on() { [[ $(main_process) != "$system_before" && $(property alice MainPID) != "$user_before" ]]; }
check "both daemons are new ones" moved_on
check "both run the new program" not says deleted readlink "/proc/$(main_process)/exe" "/proc/$(property alice MainPID)/exe"
check "countdowns go on over the upgrade, on the system bus" goes_on --system "$system_countdown" "$system_end"
check "and on the session bus" goes_on --user "$user_countdown" "$user_end"
check "what was set is still there" is 14 as alice defaultsctl --system read "$app" font-size
check "and the user's" is 11 as alice defaultsctl read "$app" font-size

check "the packages purge" dpkg --purge defaultsd defaultsctl libdefaultskit-dev
check "no daemon is left" not pgrep -x defaultsd
check "nor what the machine's instance had stored" not test -e /var/lib/defaultsd
check "nor its configuration" not test -e /etc/defaultsd
check "nor its links" not compgen -G "/etc/systemd/*/dbus-org.defaultsd1.service"
check "users keep what is theirs" test -s /home/alice/.config/defaultsd/defaults.sqlite
check "calls then find no one" exits 1 as_call alice --system "" Preferences ListDomains
