# Completion of defaultsctl for fish. Commands, options and operands come from its help, domains, keys and the rest from the daemon.

# The words before the cursor: the first line is what to call, with the daemon that is asked, the rest those that are no options.
function __defaultsctl_words
    set -l tokens (commandline -opc)
    set -l call $tokens[1]
    set -l words
    set -l skip
    for token in $tokens[2..-1]
        if test -n "$skip"
            set skip
            continue
        end
        switch $token
            case --user --system '--address=*'
                set -a call $token
            case --address --json
                set skip yes
            case '-*'
            case '*'
                set -a words $token
        end
    end
    string join \t -- $call
    printf '%s\n' $words
end

# The commands that its help lists.
function __defaultsctl_commands
    command $argv[1] --help 2>/dev/null | sed -nE '/^Commands:/,/^Options:/s/^  ([a-z][a-z-]*( [a-z][a-z-]*)*).*/\1/p'
end

# The command among the words given after the call, the longest one.
function __defaultsctl_command
    set -l commands (__defaultsctl_commands $argv[1])
    for count in 2 1
        if test (count $argv) -gt $count
            set -l candidate (string join ' ' -- $argv[2..(math $count + 1)])
            if contains -- $candidate $commands
                echo $candidate
                return
            end
        end
    end
end

function __defaultsctl_complete
    set -l lines (__defaultsctl_words)
    set -l call (string split \t -- $lines[1])
    set -l words $lines[2..-1]
    # A line without words is no word.
    test "$words" = ''; and set words
    set -l commands (__defaultsctl_commands $call[1])
    set -l name (__defaultsctl_command $call[1] $words)
    set -l current (commandline -ct)

    if string match -q -- '-*' $current
        begin
            command $call[1] --help
            test -n "$name"; and command $call[1] (string split ' ' -- $name) --help
        end 2>/dev/null | sed -nE 's/^  (--?[a-z][a-z-]*=?)[^ ]*( [A-Z][A-Z]*)?  +(.*)/\1\t\3/p; s/^  (--?[a-z][a-z-]*=?)[^ ]*$/\1/p' | sort -u
        return
    end

    set -l prefix (string join ' ' -- $words)
    set -l further (string match -r -- '^'(string escape --style=regex -- "$prefix ")'[^ ]+' $commands)
    if test -z "$name"; or test (count $words) -eq 1 -a -n "$further"
        if test (count $words) -eq 0
            string replace -r ' .*' '' -- $commands | sort -u
        else
            string replace -- "$prefix " '' $further | sort -u
        end
        return
    end

    set -l parts (string split ' ' -- $name)
    set -l usage (command $call[1] $parts --help 2>/dev/null | sed -nE "s/^Usage: defaultsctl $name ?(.*)/\1/p" | head -n 1)
    set -l operands
    for operand in (string split -n ' ' -- $usage)
        set operand (string replace -ra '[][]' '' -- $operand)
        string match -q -- '-*' $operand; and break
        set -a operands $operand
    end
    set -l given $words[(math (count $parts) + 1)..-1]
    test (count $words) -eq (count $parts); and set given
    set -l place (math (count $given) + 1)
    if test $place -gt (count $operands)
        string match -q -- '*…' $operands[-1]; or return
        set place (count $operands)
    end
    switch (string replace … '' -- $operands[$place])
        case DOMAIN
            command $call domains
        case APP
            command $call domains | string match -v global
        case KEY
            command $call keys $given[1]
        case GUIDE
            command $call guide list $given[1] | cut -f 1
        case TOUR
            command $call tour list $given[1] | cut -f 1
        case TIP
            command $call tip list $given[1] | cut -f 1
        case FLAG
            command $call flags $given[1] | cut -f 1
        case TOKEN
            command $call countdowns | sed -E 's|^[^/]*/||; s/\t.*//'
        case ID
            if test "$given[2]" = preference
                command $call keys $given[1]
            else
                command $call $given[2] list $given[1] | cut -f 1
            end
        case FILE
            __fish_complete_path $current
        case COMMAND
            __fish_complete_command
        case '*|*'
            string split '|' -- $operands[$place]
    end 2>/dev/null
end

complete -c defaultsctl -f -a '(__defaultsctl_complete)'
