# The output does not depend on the number of threads.
{ seq 50000; seq 30000; } > lines
seq 1 2 70000 > odd
for n in 1 2 7; do
    tamis dedup --parallel $n lines | cksum
    tamis build --parallel $n -n 50000 -o list lines; cksum < list
    tamis check --parallel $n list lines | cksum
    tamis common --parallel $n lines odd | cksum
    tamis minus --parallel $n lines odd | cksum
    tamis minus --parallel $n -i lines odd | cksum
done | sort | uniq -c
