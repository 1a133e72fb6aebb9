seq 2000 > lines
tamis dedup -n 100 lines | cmp - lines; echo "grow $?"
tamis dedup -n 100 --on-full grow lines | wc -l
tamis dedup -n 1000 --on-full stop lines > out; echo "stop $?"; tail -1 out
tamis dedup -n 1000 -q -p 0.01 --on-full warn lines > out; echo "warn $?"
awk '$1 <= 1000' out | wc -l
tamis dedup --on-full stop lines > out; echo "stop, estimated $?"; wc -l < out
cat lines | tamis dedup --on-full stop; echo $?
