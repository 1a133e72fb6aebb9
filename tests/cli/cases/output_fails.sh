printf 'a\n' > lines; tamis build -o list -n 5 lines
try() { "$@"; echo "$?" >&2; }
try tamis dedup lines > /dev/full
try tamis check list lines > /dev/full
try tamis check -c list lines > /dev/full
try tamis common lines lines > /dev/full
try tamis minus lines /dev/null > /dev/full
try tamis info list > /dev/full
try tamis info --json list > /dev/full
try tamis plan -n 5 -p 0.1 > /dev/full
try tamis explain list a > /dev/full
try tamis verify list > /dev/full
try tamis build -o - lines > /dev/full
try tamis merge -o - list > /dev/full
try tamis --help > /dev/full
try tamis --version > /dev/full
try tamis dedup --help > /dev/full
tamis dedup lines >&-; echo $?
tamis check list lines >&-; echo $?
tamis info list >&-; echo $?
tamis build -o - lines >&-; echo $?
tamis dedup <&-; echo $?
ls
