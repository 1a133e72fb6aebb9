# What was meant is guessed, and long options may be cut short.
try() { tamis "$@" < /dev/null; echo "$? tamis $*"; }
try dedp
try chekc
try unqi
try nothinglikeit
try dedup --sate x
try dedup --no-such-thing
try dedup --ingore-case
try check -n list
try dedup -c
try dedup -d
try dedup -u
try dedup --c
try dedup --
try dedup --cs --ke 1
try dedup --capacity=10 --on=stop
try build -o list --cap 10 --err 0.01
try check --line-n list
try check --line list
try plan --sta
