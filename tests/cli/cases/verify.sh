seq 100 | tamis build -o list -n 100
tamis verify list; echo $?
tamis verify list list missing list; echo $?
tamis verify --reseal list; echo $?
cp list bad; printf 'X' | dd of=bad bs=1 seek=4100 conv=notrunc 2> /dev/null
tamis verify bad; echo $?
for command in 'check bad list' 'info bad' 'explain bad 1' 'add bad list' 'merge -o x bad' 'dedup --state bad list'; do
    tamis $command < /dev/null; echo "$? $command"
done
head -c 4100 list > short; tamis verify short; echo $?
cp "$DATA/forged_6bytes.bin" forged; tamis verify forged; echo $?
tamis verify "$DATA/empty.txt" 2>&1 | sed 's|/.*/||'
tamis verify --reseal - < list; echo $?
ls
