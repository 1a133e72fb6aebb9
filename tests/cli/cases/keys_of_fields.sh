# Several fields: each preceded by its length as 8 bytes, little-endian.
printf 'ab,c\n' | tamis build -o list -n 10 --csv -k 1,2
printf '\002\0\0\0\0\0\0\0ab\001\0\0\0\0\0\0\0c\n' | tamis check -c list
# Each field is normalised before its length is taken.
printf ' AB ,C\n' | tamis build -q -o folded -n 10 --csv -k 1,2 -i --trim
printf 'ab,c\nab,d\n' | tamis check --csv -k 1,2 folded
printf 'AB\t00ff\n' | tamis build -q -o hexed -n 10 --tsv -k 1,2 --hex
printf 'ab\t00FF\n' | tamis check --tsv -k 1- hexed
