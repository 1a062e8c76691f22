# Without a bus, on a bus without systemd, and without a home that can be written.
# shellcheck shell=bash

check "no bus: the daemon says so and ends" exits 69 as bob env -u DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR=/nowhere defaultsd --session
check "no bus: so does the command" exits 69 as bob env -u DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR=/nowhere defaultsctl domains

# A bus of its own knows no systemd and starts the daemon by itself; both end with it.
alone() { as bob env -u XDG_RUNTIME_DIR dbus-run-session -- "$@" 2>/dev/null; }
check "a bus without systemd starts the daemon" exits 0 alone defaultsctl write "$app" font-size -int 9
check "what was written survives that session" is 9 alone defaultsctl read "$app" font-size
check "the daemon ends with its bus" eventually not pgrep -u bob -x defaultsd

check "a second daemon is refused" exits 75 as alice defaultsd --session --store=/tmp/other
check "on the same store too, with the holder's process" says "$(property alice MainPID)" \
    as alice dbus-run-session -- defaultsd --session --store=/home/alice/.config/defaultsd

# A home of which nothing can be written, from the first moment on.
useradd --create-home --shell /bin/bash carol
mkdir --mode=700 /home/carol/.config
mount -t tmpfs -o "ro,mode=700,uid=$(id -u carol)" config /home/carol/.config
loginctl enable-linger carol
eventually test -S "/run/user/$(id -u carol)/bus"
check "a home that can't be written: the first call starts the daemon" as carol defaultsctl domains
check "systemd has it as active" is active as carol systemctl --user is-active defaultsd.service
check "its status line says that the store can't be written" eventually says 'Status: .*read-only' as carol systemctl --user status --no-pager defaultsd.service
check "reads are answered" exits 1 as carol defaultsctl read "$app" font-size
check "writes have an error that says why" says "^Call failed: .*/home/carol/.config.*Read-only" \
    as_call carol --user "" Preferences Set ssv "$app" font-size x 1
check "so has the command" exits 74 as carol defaultsctl write "$app" font-size -int 1
check "the journal says so, under an id" eventually says "^DEFAULTSD_STORE=/home/carol" \
    journalctl --quiet --output=export MESSAGE_ID=c38ee78ed59d4b9d8acd28d136ccc446
first=$(property carol MainPID)
mount -o remount,rw /home/carol/.config
check "once it can be written, so can the store" exits 0 as carol defaultsctl write "$app" font-size -int 1
check "by the same daemon" is "$first" property carol MainPID
check "in a folder that is private" is "700 carol" stat -c "%a %U" /home/carol/.config/defaultsd
loginctl disable-linger carol
