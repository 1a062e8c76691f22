# What fish would offer, with the installed completion, in a session whose daemon has data.
source /usr/share/fish/vendor_completions.d/defaultsctl.fish

set -g failed 0
# expect "WORDS…" LINE: for the line as typed.
function expect
    set -l actual (complete -C $argv[2] | string replace -r \t'.*' '' | sort | string join ,)
    if test "$actual" != "$argv[1]"
        echo "for \"$argv[2]\": expected $argv[1], but was $actual"
        set failed 1
    end
end

expect read 'defaultsctl rea'
expect forget,history,record,show 'defaultsctl launch '
expect org.example.Editor,org.example.Viewer 'defaultsctl read org.'
expect org.example.Viewer 'defaultsctl once org.example.V'
expect 'zoom level' 'defaultsctl read org.example.Viewer z'
expect 'first-steps,new in 2' 'defaultsctl guide present org.example.Viewer '
expect first-steps 'defaultsctl guide reset org.example.Viewer f'
expect around 'defaultsctl tour start org.example.Viewer '
expect try-zoom 'defaultsctl tip snooze org.example.Viewer try'
expect 'first-steps,new in 2' 'defaultsctl explain org.example.Viewer guide '
expect around 'defaultsctl explain org.example.Viewer tour '
expect try-zoom 'defaultsctl explain org.example.Viewer tip '
expect 'zoom level' 'defaultsctl explain org.example.Viewer preference '
expect welcome 'defaultsctl once org.example.Viewer '
expect splash 'defaultsctl countdowns skip spl'
expect --expect= 'defaultsctl write org.example.Viewer k --ex'
expect -array,-array-add 'defaultsctl write org.example.Viewer k -arr'
expect org.example.Editor 'defaultsctl --system keys org.example.'
exit $failed
