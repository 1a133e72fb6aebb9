# The output does not depend on the number of threads.
{ seq 50000; seq 30000; } > lines
for n in 1 2 7; do
    tamis dedup --parallel $n lines | cksum
    tamis build --parallel $n -n 50000 -o list lines; cksum < list
    tamis check --parallel $n list lines | cksum
done | sort | uniq -c
