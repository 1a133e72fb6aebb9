echo a | tamis build -o list -n 100
mkfifo pipe
tamis check list < pipe > out &
exec 3> pipe
echo a >&3
n=0
while [ ! -s out ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done
cat out
exec 3>&-
wait
yes a | tamis check list | head -1
yes a | tamis check -q list; echo $?
yes a | tamis check -m 2 list
