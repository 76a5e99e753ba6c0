# Completion of storiesctl for fish.

function __storiesctl_at
    # Whether the words so far are those of this command; the empty one is none yet.
    set -l words
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if contains -- $word --socket --group --state --limit --to --older-than
            set skip 1
        else if not string match -q -- '-*' $word
            set -a words $word
        end
    end
    switch "$words[1]"
        case ''
            test "$argv" = ''
        case groups
            if test "$words[2]" = add
                test "$argv" = 'groups add'
            else
                test "$argv" = groups
            end
        case '*'
            test "$argv" = "$words[1]"
    end
end

complete -c storiesctl -f
complete -c storiesctl -l socket -r -F -d 'the daemon\'s socket (else $STORIESD_SOCKET)'
complete -c storiesctl -l json -d 'print exactly what the daemon answers'
complete -c storiesctl -s h -l help -d 'explain, and end'
complete -c storiesctl -l version -d 'print the version, and end'

complete -c storiesctl -n '__storiesctl_at' -a status -d 'what the daemon is doing'
complete -c storiesctl -n '__storiesctl_at' -a list -d 'the stories, newest first'
complete -c storiesctl -n '__storiesctl_at' -a show -d 'one story and its pages'
complete -c storiesctl -n '__storiesctl_at' -a prefetch -d 'hand a payload in, from a file or standard input'
complete -c storiesctl -n '__storiesctl_at' -a watch -d 'what happens, while it happens'
complete -c storiesctl -n '__storiesctl_at' -a lookup -d 'what the cache knows of a picture'
complete -c storiesctl -n '__storiesctl_at' -a groups -d 'the app groups'
complete -c storiesctl -n '__storiesctl_at' -a delete -d 'remove a story, and what only it held'
complete -c storiesctl -n '__storiesctl_at' -a evict -d 'make room in the cache (else down to cache.max_bytes)'
complete -c storiesctl -n '__storiesctl_at' -a verify -d 'check every picture in the cache, and mend'
complete -c storiesctl -n '__storiesctl_at' -a metrics -d 'the metrics, for Prometheus'
complete -c storiesctl -n '__storiesctl_at' -a config -d 'the configuration in effect, secrets masked'
complete -c storiesctl -n '__storiesctl_at groups' -a add -d 'provision an app group'

complete -c storiesctl -n '__storiesctl_at list' -l group -x -d 'of the group G alone (\'\' for stories without one)'
complete -c storiesctl -n '__storiesctl_at list' -l state -x -a 'prefetching ready partial failed fallback' -d 'prefetching, ready, partial, failed, fallback'
complete -c storiesctl -n '__storiesctl_at list' -l limit -x -d 'at most N stories (else 100); with --json N is at most 1000'
complete -c storiesctl -n '__storiesctl_at show' -l group -x -d 'of the group G alone (\'\' for stories without one)'
complete -c storiesctl -n '__storiesctl_at prefetch' -F
complete -c storiesctl -n '__storiesctl_at prefetch' -l group -x -d 'for the group G (else app_group)'
complete -c storiesctl -n '__storiesctl_at prefetch' -l wait -d 'until settled, 120 s at most'
complete -c storiesctl -n '__storiesctl_at delete' -l group -x -d 'of the group G alone (\'\' for stories without one)'
complete -c storiesctl -n '__storiesctl_at evict' -l to -x -d 'until at most SIZE is left, such as 500M'
complete -c storiesctl -n '__storiesctl_at evict' -l older-than -x -d 'stories older than TIME, such as 7d'
