# The units' restrictions, from inside, beside the running daemon: under the unit as it is, with one command more after the start.
# shellcheck shell=bash

for kind in ipc net user uts; do echo "$kind $(readlink "/proc/self/ns/$kind")"; done >namespaces
# There must be something to hide, and devices that have drivers everywhere: FUSE's, and the first loop device.
touch /tmp/marker
mkdir -p /usr/lib/modules/probe
mknod --mode=666 /var/lib/defaultsd/character c 10 229
mknod --mode=666 /var/lib/defaultsd/block b 7 0
# nspawn has these read-only already.
mount -o remount,bind,rw /proc/sys
mount -o remount,bind,rw /sys

sandbox=(/usr/bin/python3 "$PWD/sandbox.py")
drop_in=/run/systemd/system/defaultsd.service.d
# sandboxed MODE [LINE…]: restarts the machine's daemon with a probe, and with lines that take something away from its unit.
sandboxed() {
    local mode=$1 status=0
    shift
    mkdir -p $drop_in
    printf '%s\n' '[Service]' "ExecStartPost=${sandbox[*]} system $mode" "$@" >$drop_in/probe.conf
    systemctl daemon-reload
    systemctl restart defaultsd.service || status=$?
    if ((status != 0)); then journalctl --quiet --output=cat --unit=defaultsd.service --lines=40; fi
    rm -r $drop_in
    systemctl daemon-reload
    return "$status"
}
check "each restriction of the system's unit is in effect" sandboxed closed
check "what can be seen of it from outside is as closed" "${sandbox[@]}" system daemon "$(main_process)"
# in_its_group COMMAND…: runs it in the control group of the daemon.
# shellcheck disable=SC2016 # The variables are for the inner shell.
in_its_group() { bash -c 'echo "$$" >"/sys/fs/cgroup$0/cgroup.procs" && exec "$@"' "$(property root ControlGroup)" "$@"; }
check "its group may reach no address and no device" in_its_group "${sandbox[@]}" system cgroup
check "which others may" "${sandbox[@]}" system ungrouped
check "each is without the filter of system calls, too" sandboxed unfiltered SystemCallFilter=
outside=(systemd-run --quiet --wait --pipe --property=User=defaultsd --property=KeyringMode=shared)
check "and without the unit none is" "${outside[@]}" "${sandbox[@]}" system open
rm /var/lib/defaultsd/{character,block}
check "its exposure is at most 0.5" systemd-analyze security --no-pager --threshold=5 defaultsd.service

# RemoveIPC: what was left of shared memory, semaphores and queues, of System V and of POSIX.
leave_objects() {
    runuser -u "$1" -- env -C / ipcmk --shmem 64 --semaphore 1 --queue
    runuser -u "$1" -- touch "/dev/shm/$1" "/dev/mqueue/$1"
}
# objects USER: how many there are of that user's.
objects() {
    {
        ipcs --shmems && ipcs --semaphores && ipcs --queues
        stat --format="0 0 %U" /dev/shm/* /dev/mqueue/*
    } | awk -v user="$1" '$3 == user' | wc -l
}
systemctl start defaultsd.service
leave_objects defaultsd >/dev/null
leave_objects bob >/dev/null
check "its user can leave five kinds of objects" is 5 objects defaultsd
systemctl stop defaultsd.service
check "none is left when it has stopped" is 0 objects defaultsd
check "another user's are" is 5 objects bob
rm /dev/{shm,mqueue}/bob
runuser -u bob -- ipcrm --all
systemctl start defaultsd.service

# limit USER PROPERTY FILE VALUE: what the kernel has been told, where it has the controller at all in here, which a container may not get.
limit() {
    local group controllers
    group=/sys/fs/cgroup$(property "$1" ControlGroup)
    if [[ -e $group/$3 ]]; then
        check "$2 of ${1}'s unit is what the kernel holds it to" is "$4" cat "$group/$3"
    else
        controllers=$(<"$group/cgroup.controllers")
        check "$2 of ${1}'s unit is what systemd was told; nothing here enforces it, the group's controllers are: ${controllers:-none}" \
            is "$4" property "$1" "$2"
    fi
}
limit root MemoryHigh memory.high $((1 << 30))
limit root MemoryMax memory.max $((2 << 30))
limit root TasksMax pids.max 16
limit alice MemoryHigh memory.high $((384 << 20))
limit alice MemoryMax memory.max $((512 << 20))
limit alice TasksMax pids.max 16

# What is between the daemon and systemd alone; that it acts on it, other checks see.
for user in root alice; do
    check "Type of ${user}'s unit" is notify property $user Type
    check "BusName of ${user}'s unit" is org.defaultsd1 property $user BusName
    check "WatchdogSec of ${user}'s unit" is 1min property $user WatchdogUSec
    check "TimeoutStopSec of ${user}'s unit" is 10s property $user TimeoutStopUSec
    check "Restart of ${user}'s unit" is on-failure property $user Restart
    check "RestartPreventExitStatus of ${user}'s unit" is "64 73 75" property $user RestartPreventExitStatus
done

# The user's unit has fewer lines.
user_drop_in=/home/alice/.config/systemd/user/defaultsd.service.d
# user_sandboxed LINE…: restarts alice's daemon with lines more in its unit.
user_sandboxed() {
    local status=0
    as alice mkdir -p $user_drop_in
    printf '%s\n' '[Service]' "$@" | as alice tee $user_drop_in/probe.conf >/dev/null
    as alice systemctl --user daemon-reload
    as alice systemctl --user restart defaultsd.service || status=$?
    if ((status != 0)); then journalctl --quiet --output=cat _SYSTEMD_USER_UNIT=defaultsd.service --lines=40; fi
    rm -r $user_drop_in
    as alice systemctl --user daemon-reload
    return "$status"
}
check "each restriction of the user's unit is in effect" user_sandboxed "ExecStartPost=${sandbox[*]} user closed"
check "what can be seen of it from outside is as closed" "${sandbox[@]}" user daemon "$(property alice MainPID)"
check "each is without the filter of system calls, too" \
    user_sandboxed "ExecStartPost=${sandbox[*]} user unfiltered" SystemCallFilter=
check "and without the unit none is" as alice systemd-run --user --quiet --wait --pipe "${sandbox[@]}" user open

# A process whose root holds what tells a Flatpak, in its own user and mount namespaces.
as alice unshare --user --map-root-user --mount bash -c '
    mkdir -p /tmp/box && mount -t tmpfs box /tmp/box && printf "[Application]\nname=org.example.Boxed\n" >/tmp/box/.flatpak-info
    exec python3 -c "import os, time; os.chroot(\"/tmp/box\"); os.chdir(\"/\"); time.sleep(300)"' 2>/dev/null &
boxed() { pgrep -u alice -f '^python3.*os.chroot' | head -n 1; }
is_boxed() { grep -q Boxed "/proc/$(boxed)/root/.flatpak-info"; }
eventually is_boxed
box=$(boxed)
tells="ExecStartPost=grep -q org.example.Boxed /proc/$box/root/.flatpak-info"
check "the user's unit lets it tell a sandboxed caller" user_sandboxed "$tells"
check "which one more option would take away" not user_sandboxed "$tells" PrivateTmp=yes PrivateUsers=yes Restart=no
# It is alice's; what it was started by would outlive the check, and hold up the end of the system.
kill "$box"
as alice systemctl --user reset-failed
check "the user's daemon starts again" is 11 as alice defaultsctl read "$app" font-size

# A line that none of these files is about would be one that no one has seen to be in effect.
unchecked() {
    local line
    cat /lib/systemd/system/defaultsd.service /usr/lib/systemd/user/defaultsd.service |
        sed -nE '/^\[Service\]/,/^\[Install\]/s/^([A-Z][A-Za-z]*)=.*/\1/p' | sort -u | while read -r line; do
        # What the activation is about.
        [[ $line == Exec* ]] || grep -qw "$line" sandbox.py checks/*.sh || echo "$line"
    done
}
check "each line of both units has its check" is "" unchecked
