# Several fields: each preceded by its length as 8 bytes, little-endian.
printf 'ab,c\n' | tamis build -o list -n 10 --csv -k 1,2
printf '\002\0\0\0\0\0\0\0ab\001\0\0\0\0\0\0\0c\n' | tamis check -c list
