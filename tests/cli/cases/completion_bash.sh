command -v bash > /dev/null || { printf 'dedup\n--csv\n--capacity --checkpoint --crlf --csv\ngrow\n'; exit; }
bash -c '
    source "$SOURCE/cli/completions/tamis.bash"
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tamis; echo "${COMPREPLY[*]}"; }
    try tamis ded; try tamis dedup --cs; try tamis dedup --c; try tamis dedup --on-full g'
