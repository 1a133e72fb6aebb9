# An input that cannot be read to its end: what was selected before goes out, and
# the status says that something is missing.
seq 10 > lines
tamis build -o list -n 10 lines
[ -e /proc/self/mem ] || exit 77
tamis check list lines /proc/self/mem | wc -l
tamis check list lines /proc/self/mem > out; echo "status $?"; wc -l < out
tamis check list lines /proc/self/mem > /dev/full; echo "status $?"
tamis check -o file list lines /proc/self/mem; echo "status $?"
tamis dedup lines /proc/self/mem > out; echo "status $?"; wc -l < out
tamis minus lines /proc/self/mem; echo "status $?"
ls
