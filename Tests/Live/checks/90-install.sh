# scripts/install into a running system, and what it leaves behind when it is taken back.
# shellcheck shell=bash

# The files in the places that it writes to, but for what people have stored, and users who have come.
listing() {
    find /usr/local /usr/share/polkit-1 /usr/share/dbus-1 /etc /home -xdev \
        \( -path '/home/*/.config/defaultsd' -o -path '/home/*/.cache' -o -path '/etc/*passwd*' -o -path '/etc/*shadow*' -o -path '/etc/*group*' \) -prune -o ! -type d -print | sort
}
listing >before
export DEFAULTSD_BIN_DIR=$PWD/programs
check "scripts/install" tree/scripts/install
check "activation on the system bus" exits 0 as_call alice --system "" Preferences Set ssv "$app" font-size x 7
check "the daemon is the installed one" is /usr/local/bin/defaultsd readlink "/proc/$(main_process)/exe"
check "activation on the session bus, with what the user had" is 11 as alice /usr/local/bin/defaultsctl read "$app" font-size
check "its user's daemon is the installed one" is /usr/local/bin/defaultsd readlink "/proc/$(property alice MainPID)/exe"
check "the manual is there" test -s /usr/local/share/man/man1/defaultsctl.1
as alice systemctl --user stop defaultsd.service
check "scripts/uninstall" tree/scripts/uninstall
# What Machine keeps is stored, too.
rm -r /etc/defaultsd
listing >after
check "leaves nothing behind but what is stored" diff before after

chmod -R a+rX .
check "scripts/install --user" as alice env DEFAULTSD_BIN_DIR="$DEFAULTSD_BIN_DIR" "$PWD/tree/scripts/install" --user
check "activation from the user's home" is 11 as alice /home/alice/.local/bin/defaultsctl read "$app" font-size
check "by the user's program" is /home/alice/.local/bin/defaultsd readlink "/proc/$(property alice MainPID)/exe"
check "scripts/uninstall --user" as alice "$PWD/tree/scripts/uninstall" --user
listing >after
check "leaves nothing behind" diff before after
