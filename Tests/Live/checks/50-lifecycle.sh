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

restarted() { [[ $(systemctl show --value --property=NRestarts defaultsd.service) == "$1" && $(systemctl is-active defaultsd.service) == active ]]; }
check "systemd watches it" is 1min systemctl show --value --property=WatchdogUSec defaultsd.service
mkdir -p /run/systemd/system/defaultsd.service.d
# A minute is long for a check.
printf '[Service]\nWatchdogSec=2\n' >/run/systemd/system/defaultsd.service.d/watchdog.conf
systemctl daemon-reload
systemctl restart defaultsd.service
check "countdowns go on over a restart" goes_on --system "$system_countdown" "$system_end"
check "an idle daemon answers the watchdog" sleep 2.5
check "and isn't restarted" restarted 0
kill -STOP "$(main_process)"
check "a daemon that hangs is started again" eventually restarted 1
check "systemd says that it was the watchdog" says 'watchdog|Watchdog' journalctl --quiet --unit=defaultsd.service --lines=40
check "countdowns go on over it" goes_on --system "$system_countdown" "$system_end"
rm -r /run/systemd/system/defaultsd.service.d
systemctl daemon-reload
systemctl restart defaultsd.service

kill -KILL "$(main_process)"
check "a daemon that is killed is started again" eventually restarted 1
check "countdowns go on over that too" goes_on --system "$system_countdown" "$system_end"
check "what was set is still there" is 14 as alice defaultsctl --system read "$app" font-size
restarts=$(user_property alice NRestarts)
kill -KILL "$(user_property alice MainPID)"
user_restarted() { [[ $(user_property alice NRestarts) == $((restarts + 1)) && $(as alice systemctl --user is-active defaultsd.service) == active ]]; }
check "so is a user's" eventually user_restarted
check "with its countdowns" goes_on --user "$user_countdown" "$user_end"
check "and its values" is 11 as alice defaultsctl read "$app" font-size

journal() { journalctl --quiet --output=cat _SYSTEMD_UNIT=defaultsd.service; }
check "the journal has a line for each start" says '^Serving org.defaultsd1 on the system bus' journal
check "and for each stop" says '^Stopped; ' journal
as_call alice --system "" Preferences Set ssv "$app" secret s correct-horse >/dev/null
as_call alice --user "" Preferences Set ssv "$app" secret s correct-horse >/dev/null
printf '{"%s": {"colour": "periwinkle"' "$app" >/etc/defaultsd/mandatory.d/20-site.json
check "a file that is broken is named in the journal" eventually says '20-site.json' journal
check "and keeps what it said" is 'v s "periwinkle"' as_call alice --system "" Preferences Get ss "$app" colour
check "the journal never has a value" not says 'correct-horse|periwinkle' journalctl --quiet --output=export _COMM=defaultsd
rm /etc/defaultsd/mandatory.d/20-site.json
