# Of two runs that begin a state at once, the second waits for the first with --wait.
mkfifo pipe other
tamis dedup --state seen --wait < pipe > first &
exec 3> pipe
tamis dedup --state seen --wait < other > second 3>&- &
exec 4> other
echo a >&3
for i in 1 2 3 4 5 6 7 8; do
    (printf 'x%s\n' 1 2 3 4 5 | tamis dedup --state many --wait > "many.$i" 2>> trouble 3>&- 4>&-; echo $? >> statuses) &
done
exec 3>&-
echo a >&4
echo b >&4
exec 4>&-
wait
sort first second
sort many.*
sort statuses | uniq -c
cat trouble
