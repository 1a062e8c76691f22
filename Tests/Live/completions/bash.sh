# What bash would offer, with the installed completion, in a session whose daemon has data.
set -u
. /usr/share/bash-completion/completions/defaultsctl

# Outside of a completion it can't be called.
compopt() { :; }
# offered WORD…: what is offered for the last word, one a line, sorted.
offered() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMP_LINE=$*
    # As typed: words end at these, which stand without spaces.
    COMP_LINE=${COMP_LINE// = /=}
    COMP_LINE=${COMP_LINE// : /:}
    COMPREPLY=()
    _defaultsctl_complete
    printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sort
}
failed=0
# expect "WORDS…" for WORD…
expect() {
    local expected=$1 actual
    shift
    actual=$(offered "$@" | paste -s -d ,)
    if [[ $actual != "$expected" ]]; then
        echo "for \"$*\": expected $expected, but was $actual"
        failed=1
    fi
}

expect read defaultsctl rea
expect forget,history,record,show defaultsctl launch ''
expect org.example.Editor,org.example.Viewer defaultsctl read org.
expect org.example.Viewer defaultsctl once org.example.V
expect 'zoom\ level' defaultsctl read org.example.Viewer z
expect 'first-steps,new\ in\ 2' defaultsctl guide present org.example.Viewer ''
expect first-steps defaultsctl guide reset org.example.Viewer f
expect around defaultsctl tour start org.example.Viewer ''
expect try-zoom defaultsctl tip snooze org.example.Viewer try
expect 'first-steps,new\ in\ 2' defaultsctl explain org.example.Viewer guide ''
expect around defaultsctl explain org.example.Viewer tour ''
expect try-zoom defaultsctl explain org.example.Viewer tip ''
expect 'zoom\ level' defaultsctl explain org.example.Viewer preference ''
expect welcome defaultsctl once org.example.Viewer ''
expect splash defaultsctl countdowns skip spl
expect --expect= defaultsctl write org.example.Viewer k --ex
expect pretty defaultsctl --json = p
expect -array,-array-add defaultsctl write org.example.Viewer k -arr
expect org.example.Editor defaultsctl --system keys org.example.
expect font-size,secret,telemetry,theme defaultsctl --address = unix : path = "$XDG_RUNTIME_DIR/bus" read org.example.Editor ''
expect '' defaultsctl read org.example.Viewer 'zoom level' x
exit $failed
