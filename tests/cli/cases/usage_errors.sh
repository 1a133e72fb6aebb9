# Every refusal is one line and status 2.
try() { tamis "$@" < /dev/null; echo "$? tamis $*"; }
try
try nonsense
try --nonsense
try --generate nonsense
try dedup --nonsense
try dedup -Z
try dedup -zZ
try dedup --csv=3
try dedup -n
try dedup --capacity
try dedup --state
try dedup --state=
try dedup -n 1 -n 2
try dedup --on-full maybe
try dedup --stats=xml
try add
try check
try common onlyone
try common a b c
try merge -o x
try merge a b
try info
try info a b
try verify
try plan
try plan -n 5
try plan extra -n 5 -p 0.1
try plan -n 5 -p 0.1 -S 1M
try remove
try explain
try explain list
try build
try build -o x -n 5 -p 0.1 -S 1M
try build -o nofolder/x
try build -o /
