# NUL, invalid UTF-8 and long lines are lines like any other.
{ printf 'a\0b\na\0c\na\0b\n\377\376\n\377\376\n'; head -c 300000 /dev/zero; echo; head -c 300000 /dev/zero; echo; } |
    tamis dedup > out
wc -l < out; wc -c < out
