command -v bash > /dev/null || exit 77
bash -c '
    source "$SOURCE/cli/completions/tamis.bash"
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tamis; echo "${COMPREPLY[*]}"; }
    touch lines json
    try tamis ded; try tamis dedup --cs; try tamis dedup --c; try tamis dedup --on-full g
    try tamis dedup --on-full =; try tamis dedup --on-full = st; try tamis dedup --state = li
    try tamis dedup --stats =; try tamis dedup --stats li; try tamis dedup --stats = j; try tamis check -l a = li
    try tamis help ""; try tamis help re; try tamis help dedup ""'
