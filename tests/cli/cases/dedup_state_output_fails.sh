# A failed output leaves the state as it was.
printf 'a\n' > lines
tamis dedup --state seen lines > /dev/full; echo $?
ls
tamis dedup --state seen lines
cp seen before
seq 100000 | tamis dedup --state seen > /dev/full; echo $?
cmp seen before && seq 100000 | tamis dedup --state seen | wc -l
cp seen before; seq 200000 | tamis dedup --state seen | head -1; cmp seen before
