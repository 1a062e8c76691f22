# Without a bus, and on a bus without systemd.
# shellcheck shell=bash

check "no bus: the daemon says so and ends" exits 69 as bob env -u DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR=/nowhere defaultsd --session
check "no bus: so does the command" exits 69 as bob env -u DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR=/nowhere defaultsctl domains

# A bus of its own knows no systemd and starts the daemon by itself; both end with it.
alone() { as bob env -u XDG_RUNTIME_DIR dbus-run-session -- "$@" 2>/dev/null; }
check "a bus without systemd starts the daemon" exits 0 alone defaultsctl write "$app" font-size -int 9
check "what was written survives that session" is 9 alone defaultsctl read "$app" font-size
check "the daemon ends with its bus" eventually not pgrep -u bob -x defaultsd

check "a second daemon is refused" exits 75 as alice defaultsd --session --store=/tmp/other
check "on the same store too, with the holder's process" says "$(user_property alice MainPID)" \
    as alice dbus-run-session -- defaultsd --session --store=/home/alice/.config/defaultsd
