# What zsh would offer, with the installed completion, in a session whose daemon has data.

# The widget's own commands, as far as the completion uses them: what is offered is printed.
compadd() {
    while [[ $1 != -- ]]; do shift; done
    shift
    local word
    for word; do if [[ $word == "$PREFIX"* ]]; then print -r -- $word; fi; done
}
compset() { [[ $PREFIX == ${~2}* ]] && PREFIX=${PREFIX#${~2}}; }
fpath=(/usr/share/zsh/vendor-completions $fpath)
autoload -U +X _defaultsctl || exit

offered() {
    local -a words=("$@")
    local CURRENT=$# PREFIX=${words[-1]}
    _defaultsctl | sort -u
}
failed=0
expect() {
    local expected=$1 actual
    shift
    actual=${(j:,:)${(f)"$(offered "$@")"}}
    if [[ $actual != $expected ]]; then
        print -r -- "for \"$*\": expected $expected, but was $actual"
        failed=1
    fi
}

expect read defaultsctl rea
expect forget,history,record,show defaultsctl launch ''
expect org.example.Editor,org.example.Viewer defaultsctl read org.
expect org.example.Viewer defaultsctl once org.example.V
expect 'zoom level' defaultsctl read org.example.Viewer z
expect 'first-steps,new in 2' defaultsctl guide present org.example.Viewer ''
expect first-steps defaultsctl guide reset org.example.Viewer f
expect around defaultsctl tour start org.example.Viewer ''
expect try-zoom defaultsctl tip snooze org.example.Viewer try
expect 'first-steps,new in 2' defaultsctl explain org.example.Viewer guide ''
expect around defaultsctl explain org.example.Viewer tour ''
expect try-zoom defaultsctl explain org.example.Viewer tip ''
expect 'zoom level' defaultsctl explain org.example.Viewer preference ''
expect welcome defaultsctl once org.example.Viewer ''
expect splash defaultsctl countdowns skip spl
expect --expect= defaultsctl write org.example.Viewer k --ex
expect pretty defaultsctl --json=p
expect -array,-array-add defaultsctl write org.example.Viewer k -arr
expect org.example.Editor defaultsctl --system keys org.example.
expect '' defaultsctl read org.example.Viewer 'zoom level' x
exit $failed
