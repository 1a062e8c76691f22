# The units' restrictions, from inside, beside the running daemon: under the unit as it is, with one command more after the start.
# shellcheck shell=bash

for kind in ipc net user uts; do echo "$kind $(readlink "/proc/self/ns/$kind")"; done >namespaces
# There must be something to hide.
touch /tmp/marker
mkdir -p /usr/lib/modules/probe
# nspawn has these read-only already.
mount -o remount,bind,rw /proc/sys
mount -o remount,bind,rw /sys

drop_in=/run/systemd/system/defaultsd.service.d
mkdir $drop_in
printf '[Service]\nExecStartPost=/usr/bin/python3 %s/sandbox.py --closed\n' "$PWD" >$drop_in/probe.conf
systemctl daemon-reload
sandboxed() {
    systemctl restart defaultsd.service && return
    journalctl --quiet --output=cat --unit=defaultsd.service --lines=40
    return 1
}
check "each restriction of the system's unit is in effect" sandboxed
check "what can be seen of it from outside is as closed" python3 sandbox.py "--daemon=$(main_process)"
rm -r $drop_in
systemctl daemon-reload
check "and without the unit none is" runuser -u defaultsd -- env -C / python3 "$PWD/sandbox.py" --open
check "its exposure is at most 0.5" systemd-analyze security --no-pager --threshold=5 defaultsd.service

# A process whose root holds what tells a Flatpak, in its own user and mount namespaces.
as alice unshare --user --map-root-user --mount bash -c '
    mkdir -p /tmp/box && mount -t tmpfs box /tmp/box && printf "[Application]\nname=org.example.Boxed\n" >/tmp/box/.flatpak-info
    exec python3 -c "import os, time; os.chroot(\"/tmp/box\"); os.chdir(\"/\"); time.sleep(300)"' 2>/dev/null &
sleep_parent=$!
boxed() { pgrep -u alice -f 'os.chroot' | head -n 1; }
eventually boxed
box=$(boxed)
eventually grep -q Boxed "/proc/$box/root/.flatpak-info"
drop_in=/home/alice/.config/systemd/user/defaultsd.service.d
as alice mkdir -p $drop_in
printf '[Service]\nExecStartPost=grep -q org.example.Boxed /proc/%s/root/.flatpak-info\n' "$box" | as alice tee $drop_in/probe.conf >/dev/null
as alice systemctl --user daemon-reload
check "the user's unit lets it tell a sandboxed caller" as alice systemctl --user restart defaultsd.service
printf '[Service]\nPrivateTmp=yes\nPrivateUsers=yes\n' | as alice tee -a $drop_in/probe.conf >/dev/null
as alice systemctl --user daemon-reload
check "which one more option would take away" not as alice systemctl --user restart defaultsd.service
rm -r $drop_in
as alice systemctl --user daemon-reload
# It is being started again and again.
as alice systemctl --user stop defaultsd.service
as alice systemctl --user reset-failed
kill "$sleep_parent" 2>/dev/null
status_of_user_daemon() { grep -E '^(NoNewPrivs|Seccomp):' "/proc/$(user_property alice MainPID)/status" | tr -d '\t\n'; }
check "the user's daemon starts again" is 11 as alice defaultsctl read "$app" font-size
check "it has a filter of system calls and can get no privileges" is NoNewPrivs:1Seccomp:2 status_of_user_daemon
