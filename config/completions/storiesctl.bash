# Completion of storiesctl for bash.

_storiesctl() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    # bash takes = for a word of its own.
    if [[ $word == = ]]; then
        word=
    elif [[ $previous == = && COMP_CWORD -ge 2 ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    local command= index
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${COMP_WORDS[index]} in
        --socket | --group | --state | --limit | --to | --older-than)
            [[ ${COMP_WORDS[index + 1]} == = ]] && ((index++))
            ((index++))
            ;;
        --wait) [[ ${COMP_WORDS[index + 1]} == = ]] && ((index += 2)) ;;
        -* | =) ;;
        add) [[ $command == groups ]] && command='groups add' ;;
        *) [[ -z $command ]] && command=${COMP_WORDS[index]} ;;
        esac
    done

    case $previous in
    --state)
        COMPREPLY=($(compgen -W 'prefetching ready partial failed fallback' -- "$word"))
        return
        ;;
    --socket)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --group | --limit | --to | --older-than) return ;;
    esac

    local options='--socket --json --help --version' words=
    case $command in
    '') words='status list show prefetch watch lookup groups delete evict verify metrics config' ;;
    list) options+=' --group --state --limit' ;;
    show) options+=' --group' ;;
    prefetch) options+=' --group --wait' ;;
    groups) words='add' ;;
    delete) options+=' --group' ;;
    evict) options+=' --to --older-than' ;;
    status | watch | lookup | 'groups add' | verify | metrics | config) ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [[ $command == prefetch ]]; then
        compopt -o filenames 2>/dev/null
        local IFS=$'\n'
        COMPREPLY=($(compgen -f -- "$word"))
    else
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    fi
}

complete -F _storiesctl storiesctl
