#!/bin/sh
# Writes what the command makes of its table of options: the man page and the completions.
# Usage: tools/generate.sh [--check] TAMIS; --check compares instead of writing (status 1: they differ).
set -eu
check=
if [ "${1-}" = --check ]; then
    check=1
    shift
fi
tamis=${1-${TAMIS-build/tamis}}
root=$(cd "$(dirname "$0")/.." && pwd)
made=$(mktemp)
trap 'rm -f "$made"' EXIT
status=0

# generate WHAT FILE
generate() {
    "$tamis" --generate "$1" >"$made"
    if [ -z "$check" ]; then
        cat "$made" >"$root/$2"
    elif ! cmp -s "$made" "$root/$2"; then
        echo "tools/generate.sh: $2 is not what tamis --generate $1 writes; run tools/generate.sh" >&2
        status=1
    fi
}

generate man docs/tamis.1
generate bash cli/completions/tamis.bash
generate zsh cli/completions/_tamis
exit $status
