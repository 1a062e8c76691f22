# What the journal has of it: a line for each start and stop, entries with ids and fields for what an administrator waits for, never a value.
# shellcheck shell=bash

journal() { journalctl --quiet --output=cat _SYSTEMD_UNIT=defaultsd.service; }
check "the journal has a line for each start" eventually says '^Serving org.defaultsd1 on the system bus' journal
check "and for each stop" eventually says '^Stopped; ' journal
# entry ID: all fields of the last entry with that id.
entry() { journalctl --quiet --output=export --lines=1 "MESSAGE_ID=$1"; }
broken=3b61fedc106d4b178e4307f5c24b2d93 quota=3bc295b1a6894cf4b97ac08899d0b31f
restored=e020169c6d5840c9b15fa9c5423aced2 lost=0c7c05bc32ea403fa05c2de3a5e6de94

as_call alice --system "" Preferences Set ssv "$app" secret s correct-horse >/dev/null
as_call alice --user "" Preferences Set ssv "$app" secret s correct-horse >/dev/null
printf '{"%s": {"colour": "periwinkle"' "$app" >/etc/defaultsd/mandatory.d/20-site.json
check "a file that is broken is named in the journal" eventually says '^DEFAULTSD_FILE=/etc/defaultsd/mandatory.d/20-site.json' entry $broken
check "and keeps what it said" is 'v s "periwinkle"' as_call alice --system "" Preferences Get ss "$app" colour
check "systemctl status counts it" eventually says 'Status: .*; 1 fault in the configuration' systemctl status --no-pager defaultsd.service
rm /etc/defaultsd/mandatory.d/20-site.json

# A value of 1.2 MB, in arguments that are each short enough for a command line.
printf -v part 'correct-horse-%.0s' {1..9000}
check "what is too large is refused" says 'LimitExceeded|at most 1048576 bytes' \
    as alice defaultsctl --system write org.example.Big value -array "$part"{1..10}
check "who met a limit is in the journal" eventually says '^DEFAULTSD_CALLER=:1\.' entry $quota
check "with the user" eventually says "^DEFAULTSD_USER=$alice" entry $quota

# Bob's store, damaged with a backup beside it, then without.
bob=$(id -u bob)
store=/var/lib/defaultsd/$bob
as_call bob --system "" Preferences Set ssv "$app" secret s correct-horse >/dev/null
check "a store has its backup" eventually test -s "$store/defaults.backup.sqlite"
# damage: the daemon finds a store that is none.
damage() {
    systemctl stop defaultsd.service
    echo nothing >"$store/defaults.sqlite"
    as_call bob --system "" Preferences ListDomains >/dev/null
}
damage
check "a store that was restored is in the journal, with its user" eventually says "^DEFAULTSD_USER=$bob" entry $restored
check "and its state" eventually says '^DEFAULTSD_STORE_STATE=restored' entry $restored
check "and its path" eventually says "^DEFAULTSD_STORE=$store/defaults.sqlite" entry $restored
check "the journal explains it" eventually says "Subject: Some preferences of user $bob were lost" journalctl --quiet --catalog "MESSAGE_ID=$restored"
check "systemctl status says whose" eventually says "Status: .*; store of user $bob restored" systemctl status --no-pager defaultsd.service
systemctl stop defaultsd.service
rm -f "$store"/defaults.backup.sqlite
damage
check "a store that was lost is in the journal" eventually says '^DEFAULTSD_STORE_STATE=lost' entry $lost
check "the journal explains it, too" eventually says "Subject: All preferences of user $bob were lost" journalctl --quiet --catalog "MESSAGE_ID=$lost"
check "once the user knows" as bob defaultsctl --system status --acknowledge
check "the status is as before" eventually says 'Status: "Serving org.defaultsd1; every store opened is healthy"' systemctl status --no-pager defaultsd.service

journalctl --sync
check "the journal never has a value" not says 'correct-horse|periwinkle' journalctl --quiet --output=export _COMM=defaultsd
