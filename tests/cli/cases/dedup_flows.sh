# The first output comes before the input ends.
mkfifo pipe
tamis dedup < pipe > out &
exec 3> pipe
echo a >&3
n=0
while [ ! -s out ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done
cat out
exec 3>&-
wait
