# -S: stops with status 2 once growth would pass it, all lines before written.
seq 1000000 | tamis dedup -S 2M --state seen > out; echo $?
awk '$1 != NR { print "wrong line"; exit }' out
wc -l < out | awk '{ exit !($1 > 100000 && $1 < 1000000) }' && echo some
cat out | tamis dedup --state seen | wc -l
tamis dedup -n 10000000 -S 1M out; echo $?
tamis dedup --exact -S 1M out | wc -l
seq 1000000 | tamis dedup --exact -S 1M > exact; echo $?
awk '$1 != NR { print "wrong line"; exit }' exact
