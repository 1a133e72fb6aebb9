# -o names what is open, not the file behind it: what stands there already stays.
printf 'b\na\nb\n' > lines
echo old > out
tamis dedup -o /dev/stdout lines >> out; cat out
echo --; { echo first; tamis dedup -o /dev/stdout lines; echo last; } > out; cat out
echo --; tamis dedup -o /dev/fd/5 lines 5>> out; cat out
echo --; ln -s /proc/self/fd/1 link; tamis dedup -o link lines > out; cat out; readlink link
echo --; tamis dedup -o /dev/stdout lines | cat
echo --; tamis dedup -o /dev/fd/9 lines; echo $?
tamis build -n 10 -o /dev/stdout lines > list; tamis check -c list lines
{ echo x; tamis build -n 10 -o /dev/stdout lines; } > list2; tail -c +3 list2 | cmp - list && echo same
tamis merge -o /dev/stdout list list | cmp - list && echo same
tamis build -n 10 -o /dev/null lines; echo $?
ls -A
