printf 'a\n' > one; printf 'b\na\n' > two
printf 'one\0two\0' > names
tamis dedup --files0-from names
printf 'one\0two' | tamis dedup --files0-from - | wc -l
tamis dedup --files0-from names one; echo $?
printf 'one\0\0two' | tamis dedup --files0-from -; echo $?
printf 'one\0-' | tamis dedup --files0-from -; echo $?
tamis dedup --files0-from /dev/null; echo $?
tamis dedup --files0-from missing; echo $?
tamis dedup --files0-from .; echo $?
printf 'one\0missing' | tamis dedup --files0-from -; echo $?
tamis build -o list -n 9 --files0-from names; printf 'list\0' | tamis check list --files0-from names
