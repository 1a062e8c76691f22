# What the live checks share: to be sourced by a script that runs as root in a system that scripts/boot has booted.
# shellcheck shell=bash

passed=0 failed=0

# check TITLE COMMAND…: counts whether the command succeeds; all checks run, whatever the ones before said.
check() {
    local title=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
        echo "ok: $title"
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n' "$title"
        printf '%s\n' "$output" | sed 's/^/    /'
    fi
}

# is EXPECTED COMMAND…: whether the command prints just that.
is() {
    local expected=$1 actual
    shift
    actual=$("$@" 2>&1)
    if [[ $actual == "$expected" ]]; then return; fi
    printf 'expected: %s\nbut was:  %s\n' "$expected" "$actual"
    return 1
}

# says PATTERN COMMAND…: whether what the command prints, on either stream, has a match of the extended regular expression.
says() {
    local pattern=$1 actual
    shift
    actual=$("$@" 2>&1) || true
    if grep -qE -- "$pattern" <<<"$actual"; then return; fi
    printf 'no match of: %s\nin: %s\n' "$pattern" "$actual"
    return 1
}

# exits STATUS COMMAND…: whether the command ends with that status.
exits() {
    local expected=$1 status=0
    shift
    "$@" || status=$?
    if ((status == expected)); then return; fi
    echo "expected exit status $expected, but was $status"
    return 1
}

not() { if "$@"; then return 1; fi; }

# eventually COMMAND…: whether it succeeds within ten seconds.
eventually() {
    local deadline=$((SECONDS + 10))
    until "$@" >/dev/null 2>&1; do
        if ((SECONDS > deadline)); then
            "$@"
            return
        fi
        sleep 0.05
    done
}

# as USER COMMAND…: as that user, in that user's session.
as() {
    local user=$1 number
    shift
    number=$(id -u "$user")
    runuser -u "$user" -- env -C / HOME="/home/$user" XDG_RUNTIME_DIR="/run/user/$number" "$@"
}

# call BUS OBJECT INTERFACE MEMBER [SIGNATURE ARGUMENT…]: BUS is --system or --user; below /org/defaultsd1, and org.defaultsd1.
call() {
    local bus=$1 object=$2 interface=$3 member=$4
    shift 4
    busctl "$bus" --timeout=15 call org.defaultsd1 "/org/defaultsd1$object" "org.defaultsd1.$interface" "$member" "$@"
}
export -f call

# as_call USER BUS OBJECT …: the same as someone.
as_call() {
    local user=$1
    shift
    # shellcheck disable=SC2016 # $@ is for the inner shell.
    as "$user" bash -c 'call "$@"' bash "$@"
}

# manager USER COMMAND…: systemctl of the machine, where USER is root, or of that user.
manager() {
    local user=$1
    shift
    if [[ $user == root ]]; then systemctl "$@"; else as "$user" systemctl --user "$@"; fi
}
# property USER NAME: of the daemon's unit there.
property() { manager "$1" show --value --property="$2" defaultsd.service; }
main_process() { property root MainPID; }

# Milliseconds since the start of the machine.
uptime_ms() { awk '{ print int($1 * 1000) }' /proc/uptime; }

summary() {
    echo "$passed passed, $failed failed"
    ((failed == 0 && passed > 0))
}
