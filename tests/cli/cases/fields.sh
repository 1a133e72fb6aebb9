printf 'a b 1\nc b 2\na d 3\n' > lines
tamis dedup -t ' ' -k 2 lines
echo --; tamis dedup -t ' ' -k 1,2 lines
echo --; printf 'ab:cd\na:bcd\nab:cd\n' | tamis dedup -t : -k 1,2
echo --; printf 'x\ty\nz\ty\n' | tamis dedup --tsv -k 2
printf 'x\ty\nz\ty\n' | tamis dedup -t '\t' -k 2
echo --; printf 'a\n' | tamis dedup -t : -k 2; echo $?
printf 'a\n:\n:\n' | tamis dedup -t : -k 2 --bad-records keep
printf 'a:"b\n' | tamis dedup -t : -k 2
