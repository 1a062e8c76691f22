# scripts/install into a running system, and what it leaves behind when it is taken back.
# shellcheck shell=bash

# Files and folders in the places that it writes to, but for what people have stored, and users who have come.
listing() {
    find /usr/local /opt /usr/lib /usr/share/polkit-1 /usr/share/dbus-1 /usr/share/man /etc /home -xdev \
        \( -path '/home/*/.config/defaultsd' -o -path '/home/*/.cache' -o -path '/etc/*passwd*' -o -path '/etc/*shadow*' -o -path '/etc/*group*' \) \
        -prune -o -print | sort
}
listing >before
export DEFAULTSD_BIN_DIR=$PWD/programs
check "scripts/install" tree/scripts/install
check "activation on the system bus" exits 0 as_call alice --system "" Preferences Set ssv "$app" font-size x 7
check "the daemon is the installed one" is /usr/local/bin/defaultsd readlink "/proc/$(main_process)/exe"
check "activation on the session bus, with what the user had" is 11 as alice /usr/local/bin/defaultsctl read "$app" font-size
check "its user's daemon is the installed one" is /usr/local/bin/defaultsd readlink "/proc/$(property alice MainPID)/exe"
check "the manual is there" test -s /usr/local/share/man/man1/defaultsctl.1
before=$(property alice MainPID)
check "a second time, over running daemons" tree/scripts/install
check "a user's is the new one" not is "$before" property alice MainPID
check "scripts/uninstall" tree/scripts/uninstall
# What Machine keeps is stored, too.
rm -r /etc/defaultsd
listing >after
check "leaves nothing behind but what is stored" diff before after
check "not the daemons either" not pgrep -x defaultsd

check "scripts/install --prefix" tree/scripts/install --prefix=/opt/defaultsd
check "activation on the system bus" is "v x 7" as_call alice --system "" Preferences Get ss "$app" font-size
check "the daemon is the one in there" is /opt/defaultsd/bin/defaultsd readlink "/proc/$(main_process)/exe"
check "activation on the session bus" is 11 as alice /opt/defaultsd/bin/defaultsctl read "$app" font-size
check "its user's daemon is the one in there" is /opt/defaultsd/bin/defaultsd readlink "/proc/$(property alice MainPID)/exe"
check "the manual is there" test -s /opt/defaultsd/share/man/man8/defaultsd.8
check "scripts/uninstall --prefix" tree/scripts/uninstall --prefix=/opt/defaultsd
rm -r /etc/defaultsd
listing >after
check "leaves nothing behind but what is stored" diff before after

chmod -R a+rX .
root=$(as alice mktemp -d)
for prefix in /usr /usr/local; do
    check "scripts/install --prefix=$prefix --destdir takes no root" \
        as alice env DEFAULTSD_BIN_DIR="$DEFAULTSD_BIN_DIR" "$PWD/tree/scripts/install" "--prefix=$prefix" "--destdir=$root"
    check "has the programs in there" is 755 stat -c %a "$root$prefix/bin/defaultsd"
    check "and names them as they will be called" \
        says "^ExecStart=$prefix/bin/defaultsd --session" cat "$root$prefix/lib/systemd/user/defaultsd.service"
    check "scripts/uninstall --prefix=$prefix --destdir" as alice "$PWD/tree/scripts/uninstall" "--prefix=$prefix" "--destdir=$root"
    check "leaves nothing in there" is "" find "$root" -mindepth 1
done
listing >after
check "and nothing elsewhere" diff before after

# One who has nothing yet.
useradd --create-home --shell /bin/bash dave
loginctl enable-linger dave
eventually test -S "/run/user/$(id -u dave)/bus"
as dave mkdir /home/dave/.config
listing >before
check "scripts/install --user" as dave env DEFAULTSD_BIN_DIR="$DEFAULTSD_BIN_DIR" "$PWD/tree/scripts/install" --user
check "activation from the user's home" as dave /home/dave/.local/bin/defaultsctl write "$app" font-size -int 3
check "by the user's program" is /home/dave/.local/bin/defaultsd readlink "/proc/$(property dave MainPID)/exe"
check "scripts/uninstall --user" as dave "$PWD/tree/scripts/uninstall" --user
listing >after
check "leaves nothing behind but what is stored" diff before after
check "which is there" test -s /home/dave/.config/defaultsd/defaults.sqlite
