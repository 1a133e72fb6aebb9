# SIGTERM: what was read is written and saved; the process ends by the signal.
mkfifo pipe
sh -c 'echo $$ > pid; exec tamis dedup --state seen < pipe' > out &
exec 3> pipe
echo a >&3
while [ ! -s out ]; do sleep 0.05; done
kill -TERM "$(cat pid)"
{ wait $!; } 2> /dev/null
echo $?
cat out
exec 3>&-
echo a | tamis dedup --state seen
tamis info seen | grep 'lines added'
