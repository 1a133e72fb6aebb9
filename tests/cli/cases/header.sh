printf 'h\na\nh\na\n' > one; printf 'h\nb\n' > two
tamis dedup --header one two
tamis build -o list -n 10 --header one
printf 'h\na\nb\n' | tamis check --header list
printf 'h\na\nb\n' | tamis check --header -c list
printf 'h\na\nb\n' | tamis check --header -v --line-number list
tamis common --header two one; echo $?
tamis minus --header two one; echo $?
