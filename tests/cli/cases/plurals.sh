# One line was, two lines were.
tamis build --kind counting -n 10 -o list < /dev/null
echo a | tamis remove list; printf 'a\nb\n' | tamis remove list
echo a | tamis dedup --url; printf 'a\nb\n' | tamis dedup --url
