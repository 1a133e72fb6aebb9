printf 'a\n' > one
tamis dedup one missing; echo $?
tamis dedup .; echo $?
tamis build -o list -n 5 one missing; echo $?
ls
