printf 'b\na\nb\n\na\n\nc' | tamis dedup
printf 'b\na\nb\n' > one; printf 'c\na\n' > two
tamis uniq one - two <<X
d
a
X
tamis dedup -z one | od -c | head -3
printf 'x\0y\0x' | tamis dedup -z | od -An -c
