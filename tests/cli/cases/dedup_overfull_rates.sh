# Lines that were lost count against the capacity, too; a state that is exactly full is not over-full.
seq 5000 | tamis dedup -n 1000 -p 0.9 --on-full warn > out 2> err; echo "status $?"; grep -c over-full err
seq 12000 | tamis dedup -n 10000 -p 0.5 --on-full warn > out 2> err; echo "status $?"; grep -c over-full err
seq 10000 > lines
tamis dedup --state state -n 10000 -p 0.01 --on-full warn lines > out 2> err; echo "status $?"
tamis dedup --state state --on-full warn lines; echo "status $?"
