# Made by "tamis --generate bash" from the table of options; do not edit.
_tamis()
{
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options= joined=
    local commands='dedup build add check common minus merge info verify plan remove explain bench'
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$commands help --help --version" -- "$word"))
        return
    fi
    if [ "${COMP_WORDS[1]}" = help ]; then
        [ "$COMP_CWORD" -ne 2 ] || COMPREPLY=($(compgen -W "$commands records" -- "$word"))
        return
    fi
    # --option=word comes as three words.
    if [ "$word" = = ]; then
        joined=1 word=
    elif [ "$previous" = = ]; then
        joined=1 previous=${COMP_WORDS[COMP_CWORD-2]}
    fi
    case $previous in
    -o|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
    -n|--capacity) return ;;
    -p|--error-rate) return ;;
    -S|--memory) return ;;
    -T|--temporary-directory) COMPREPLY=($(compgen -d -- "$word")); return ;;
    --on-full) COMPREPLY=($(compgen -W 'grow stop warn' -- "$word")); return ;;
    --state) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --checkpoint) return ;;
    --kind) COMPREPLY=($(compgen -W 'bloom counting scalable' -- "$word")); return ;;
    --seed) return ;;
    -l|--list) COMPREPLY=($(compgen -f -- "$word")); return ;;
    -m|--max-count) return ;;
    --items) return ;;
    --part) COMPREPLY=($(compgen -W 'sizes pages rates strings threads kinds' -- "$word")); return ;;
    --svg) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --results) COMPREPLY=($(compgen -f -- "$word")); return ;;
    -t|--field-separator) return ;;
    -k|--key) return ;;
    --bad-records) COMPREPLY=($(compgen -W 'stop keep' -- "$word")); return ;;
    --files0-from) COMPREPLY=($(compgen -f -- "$word")); return ;;
    --parallel) return ;;
    --stats) [ -z "$joined" ] || { COMPREPLY=($(compgen -W 'json' -- "$word")); return; } ;;
    esac
    case ${COMP_WORDS[1]} in
    dedup|uniq) options='-o --output -n --capacity -p --error-rate -S --memory --on-full --exact --state --checkpoint --wait -z --zero-terminated --crlf -t --field-separator -k --key --csv --tsv --header --json --bad-records --files0-from -i --ignore-case --trim --hex --url --parallel --stats --stats=json --progress -q --quiet -h --help' ;;
    build) options='-o --output -n --capacity -p --error-rate -S --memory --on-full --kind --compact --seed --secret-seed --wait -z --zero-terminated --crlf -t --field-separator -k --key --csv --tsv --header --json --bad-records --files0-from -i --ignore-case --trim --hex --url --parallel --stats --stats=json --progress -q --quiet -h --help' ;;
    add) options='--on-full --wait -z --zero-terminated --crlf -t --field-separator -k --key --csv --tsv --header --json --bad-records --files0-from -i --ignore-case --trim --hex --url --parallel --stats --stats=json --progress -q --quiet -h --help' ;;
    check) options='-o --output -l --list -v --invert-match -c --count -q --quiet -m --max-count --line-number --line-buffered --mmap -z --zero-terminated --crlf -t --field-separator -k --key --csv --tsv --header --json --bad-records --files0-from -i --ignore-case --trim --hex --url --parallel --stats --stats=json --progress -h --help' ;;
    common) options='-o --output -S --memory -T --temporary-directory -z --zero-terminated --crlf -t --field-separator -k --key --csv --tsv --header --json --bad-records -i --ignore-case --trim --hex --url --parallel --stats --stats=json --progress -q --quiet -h --help' ;;
    minus) options='-o --output -S --memory -T --temporary-directory -z --zero-terminated --crlf -t --field-separator -k --key --csv --tsv --header --json --bad-records -i --ignore-case --trim --hex --url --parallel --stats --stats=json --progress -q --quiet -h --help' ;;
    merge) options='-o --output --wait -q --quiet -h --help' ;;
    info) options='--json --show-seed -h --help' ;;
    verify) options='--reseal -h --help' ;;
    plan) options='-n --capacity -p --error-rate -S --memory --compact --json -h --help' ;;
    remove) options='--wait -z --zero-terminated --crlf -t --field-separator -k --key --csv --tsv --header --json --bad-records --files0-from -i --ignore-case --trim --hex --url --stats --stats=json --progress -q --quiet -h --help' ;;
    explain) options='-h --help' ;;
    bench) options='--items --part --quick --svg --results --strict --json -h --help' ;;
    esac
    case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}
complete -o filenames -F _tamis tamis
