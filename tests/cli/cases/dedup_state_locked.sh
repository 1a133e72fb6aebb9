# A second writer fails at once, or waits.
mkfifo pipe
tamis dedup --state seen < pipe > first &
exec 3> pipe
echo a >&3
while [ ! -s first ]; do sleep 0.05; done
echo b | tamis dedup --state seen; echo $?
echo b | tamis dedup --state seen --wait > second 3>&- &
exec 3>&-
wait
cat first second
tamis info seen | grep 'lines added'
