# Reload, hanging, crashing: countdowns go on.
# shellcheck shell=bash

before=$(main_process)
mkdir -p /etc/defaultsd/mandatory.d
printf '{"%s": {"colour": "periwinkle"}}' "$app" >/etc/defaultsd/mandatory.d/20-site.json
check "systemctl reload has the configuration read" systemctl reload defaultsd.service
check "its answer comes when it is in effect" is 'v s "periwinkle"' as_call alice --system "" Preferences Get ss "$app" colour
check "the daemon is the same" is "$before" main_process
check "systemd takes the reload for done" is active systemctl is-active defaultsd.service

# Two countdowns of an hour, on both buses; what is left of them and the time since make an hour at any time.
start_countdown() {
    as_call alice "$1" "" Countdowns Start 'sa{sv}' "$2" 2 duration t 3600000 on_owner_lost s continue | cut -d '"' -f 2
}
remaining() { as alice busctl "$1" --timeout=15 get-property org.defaultsd1 "$2" org.defaultsd1.Countdown Remaining | cut -d ' ' -f 2; }
# ends_between BUS PATH: the earliest and the latest instant at which it can end: what is left was looked up somewhere between two looks at the clock.
ends_between() {
    local before left
    before=$(uptime_ms)
    left=$(remaining "$1" "$2")
    [[ -n $left ]] && echo "$((before + left)) $(($(uptime_ms) + left))"
}
system_countdown=$(start_countdown --system splash)
user_countdown=$(start_countdown --user splash)
system_end=$(ends_between --system "$system_countdown")
user_end=$(ends_between --user "$user_countdown")
# goes_on BUS PATH "EARLIEST LATEST": a countdown that was paused, begun anew or lost would end elsewhere.
goes_on() {
    local now earliest latest
    now=$(ends_between "$1" "$2") || return
    read -r earliest latest <<<"$3"
    # The clock is read in hundredths of a second.
    if ((${now% *} <= latest + 20 && ${now#* } >= earliest - 20)); then return; fi
    echo "it ended between $earliest and $latest ms, and now does between ${now/ / and }"
    return 1
}

# restarted USER COUNT: whether systemd has started the daemon that often by itself, and it runs.
restarted() { [[ $(property "$1" NRestarts) == "$2" && $(property "$1" ActiveState) == active ]]; }
# A minute is long for a check.
for folder in system user; do
    mkdir -p /run/systemd/$folder/defaultsd.service.d
    printf '[Service]\nWatchdogSec=2\n' >/run/systemd/$folder/defaultsd.service.d/watchdog.conf
done
for user in root alice; do
    manager $user daemon-reload
    manager $user restart defaultsd.service
done
check "countdowns go on over a restart" goes_on --system "$system_countdown" "$system_end"
check "and a user's" goes_on --user "$user_countdown" "$user_end"
check "idle daemons answer the watchdog" sleep 2.5
check "and aren't restarted" eval 'restarted root 0 && restarted alice 0'
kill -STOP "$(main_process)" "$(property alice MainPID)"
check "a daemon that hangs is started again" eventually restarted root 1
check "and a user's" eventually restarted alice 1
check "systemd says that it was the watchdog" eventually says '[Ww]atchdog' journalctl --quiet --unit=defaultsd.service --lines=40
check "and of the user's" eventually says '[Ww]atchdog' journalctl --quiet _SYSTEMD_USER_UNIT=defaultsd.service + USER_UNIT=defaultsd.service --lines=40
check "countdowns go on over it" goes_on --system "$system_countdown" "$system_end"
check "and a user's" goes_on --user "$user_countdown" "$user_end"
rm -r /run/systemd/{system,user}/defaultsd.service.d
for user in root alice; do
    manager $user daemon-reload
    manager $user restart defaultsd.service
done

kill -KILL "$(main_process)"
check "a daemon that is killed is started again" eventually restarted root 1
check "countdowns go on over that too" goes_on --system "$system_countdown" "$system_end"
check "what was set is still there" is 14 as alice defaultsctl --system read "$app" font-size
kill -KILL "$(property alice MainPID)"
check "so is a user's" eventually restarted alice 1
check "with its countdowns" goes_on --user "$user_countdown" "$user_end"
check "and its values" is 11 as alice defaultsctl read "$app" font-size

# The exit statuses of RestartPreventExitStatus: here that of a wrong command line.
mkdir -p "$drop_in"
printf '[Service]\nExecStart=\nExecStart=/usr/bin/defaultsd --system --no-such-option\n' >"$drop_in/wrong.conf"
systemctl daemon-reload
check "a daemon that can't start says so" not systemctl restart defaultsd.service
check "and isn't started again" is "failed 0" echo "$(property root ActiveState) $(property root NRestarts)"
rm -r "$drop_in"
systemctl daemon-reload
systemctl reset-failed defaultsd.service
check "until it can" systemctl start defaultsd.service
