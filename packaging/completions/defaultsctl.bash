# Completion of defaultsctl for bash. Commands, options and operands come from its help, domains, keys and the rest from the daemon.

# Prints a line for each thing that an operand called $1 may be; $2… are the words before it, without the command's own.
_defaultsctl_operand() {
    local name=$1
    shift
    case $name in
        DOMAIN) "${_defaultsctl[@]}" domains ;;
        APP) "${_defaultsctl[@]}" domains | grep -vx global ;;
        KEY) "${_defaultsctl[@]}" keys "$1" ;;
        GUIDE) "${_defaultsctl[@]}" guide list "$1" | cut -f 1 ;;
        TOUR) "${_defaultsctl[@]}" tour list "$1" | cut -f 1 ;;
        TIP) "${_defaultsctl[@]}" tip list "$1" | cut -f 1 ;;
        FLAG) "${_defaultsctl[@]}" flags "$1" | cut -f 1 ;;
        TOKEN) "${_defaultsctl[@]}" countdowns | sed -E 's|^[^/]*/||; s/\t.*//' ;;
        # Of "explain", whose kind is a word before.
        ID)
            case $2 in
                preference) "${_defaultsctl[@]}" keys "$1" ;;
                guide | tour | tip) "${_defaultsctl[@]}" "$2" list "$1" | cut -f 1 ;;
            esac
            ;;
        *'|'*) tr '|' '\n' <<<"$name" ;;
    esac 2>/dev/null
}

# Adds to COMPREPLY the lines of standard input that begin with $1; whatever the shell would take apart is quoted.
_defaultsctl_offer() {
    local line
    while IFS= read -r line; do
        if [[ $line == "$1"* ]]; then COMPREPLY+=("$(printf %q "$line")"); fi
    done
}

_defaultsctl_complete() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} index word address
    COMPREPLY=()
    # "=" is a word of its own here.
    if [[ $current == = ]]; then
        current=''
    elif [[ $previous == = ]] && ((COMP_CWORD > 1)); then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $previous != -* ]]; then
        previous=''
    fi
    if [[ $previous == --json ]]; then
        _defaultsctl_offer "$current" < <(printf '%s\n' short pretty)
        return
    fi

    # Which daemon is asked, and the words that are no options.
    local _defaultsctl=("${COMP_WORDS[0]/#\~/$HOME}") words=()
    for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        case $word in
            --user | --system) _defaultsctl+=("$word") ;;
            --address)
                # An address has ":" and "=", at which words end here; the line has it in one piece.
                [[ $COMP_LINE =~ --address[=\ ]([^ ]*) ]]
                address=${BASH_REMATCH[1]-} word=''
                while [[ $word != "$address" ]] && ((++index < COMP_CWORD)); do
                    if [[ -n $word || ${COMP_WORDS[index]} != = ]]; then word+=${COMP_WORDS[index]}; fi
                done
                _defaultsctl+=("--address=$word")
                ;;
            --*)
                if [[ ${COMP_WORDS[index + 1]} == = ]]; then ((index += 2)); fi
                ;;
            -*) ;;
            *)
                # As the shell would read it.
                word=${word//\\/}
                word=${word#[\'\"]}
                words+=("${word%[\'\"]}")
                ;;
        esac
    done

    local help commands
    help=$("${COMP_WORDS[0]/#\~/$HOME}" --help 2>/dev/null) || return
    commands=$(sed -nE '/^Commands:/,/^Options:/s/^  ([a-z][a-z-]*( [a-z][a-z-]*)*).*/\1/p' <<<"$help")
    # The command is the longest one that the words begin with.
    local count command=''
    for count in 2 1; do
        if ((${#words[@]} >= count)) && grep -qxF -- "${words[*]:0:count}" <<<"$commands"; then
            command="${words[*]:0:count}"
            break
        fi
    done
    # A group's next word, and the first.
    if [[ $current != -* ]] && { [[ -z $command ]] || { ((${#words[@]} == 1)) && grep -q "^$command " <<<"$commands"; }; }; then
        _defaultsctl_offer "$current" < <(
            prefix="${words[*]}${words[*]:+ }"
            while IFS= read -r line; do
                if [[ $line == "$prefix"* ]]; then
                    line=${line#"$prefix"}
                    echo "${line%% *}"
                fi
            done <<<"$commands" | sort -u
        )
        return
    fi

    # One with a value, which follows.
    if [[ -n $command ]]; then
        local words_of_command
        read -ra words_of_command <<<"$command"
        help+=$'\n'$("${COMP_WORDS[0]/#\~/$HOME}" "${words_of_command[@]}" --help 2>/dev/null)
    fi
    if [[ $current == -* ]]; then
        _defaultsctl_offer "$current" < <(sed -nE 's/^  (--?[a-z][a-z-]*=?).*/\1/p' <<<"$help" | sort -u)
        if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
        return
    fi
    if [[ $previous == --* ]] && grep -qF -- "  $previous=" <<<"$help"; then return; fi

    # The operand that the usage has at this place.
    local usage operands=() operand
    usage=$(sed -nE "s/^Usage: defaultsctl $command ?(.*)/\1/p" <<<"$help" | head -n 1)
    for operand in $usage; do
        operand=${operand//[\[\]]/}
        case $operand in
            -*) break ;;
            *) operands+=("$operand") ;;
        esac
    done
    local place=$((${#words[@]} - count)) last=$((${#operands[@]} - 1))
    # The last one may stand for any number.
    if ((place > last)); then
        if ((last < 0)) || [[ ${operands[last]} != *… ]]; then return; fi
        place=$last
    fi
    operand=${operands[place]%…}
    case $operand in
        FILE) compopt -o default ;;
        COMMAND)
            local IFS=$'\n'
            # shellcheck disable=SC2207 # Names of commands, one a line.
            COMPREPLY=($(compgen -c -- "$current"))
            ;;
        *) _defaultsctl_offer "$current" < <(_defaultsctl_operand "$operand" "${words[@]:count}") ;;
    esac
}

complete -F _defaultsctl_complete defaultsctl
