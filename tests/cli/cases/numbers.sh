# Counts take decimal thousands, sizes binary ones.
for n in 10000 10K 1e4 1E+4 0.01M; do tamis plan -n $n -p 0.01 | head -1; done
for s in 1536K 1.5M 1.5MiB 1572864; do tamis plan -S $s -p 0.01 | head -1; done
for n in 1.5 10KiB 1e 1e99 1e17 x; do tamis plan -n $n -p 0.01; echo $?; done
for s in 1MB 1.5 x 10 63; do tamis plan -S $s -p 0.01; echo $?; done
tamis plan -S 10 -n 1000; echo $?
tamis plan -n 1000 -p 0,01; echo $?
tamis dedup --parallel x; echo $?
tamis dedup --state s --checkpoint x; echo $?
tamis build -S 10 -o list < /dev/null; echo $?
seq 1000 > lines
tamis dedup -S 10 lines; echo $?
ls
