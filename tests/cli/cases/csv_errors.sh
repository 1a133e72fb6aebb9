try() { printf 'a,b\n' | tamis dedup --csv "$@"; echo "$? $*"; }
try -k 0
try -k x
try -k 1,1
try -k 2-1
try -k 1-
try -k ,1
try -k 1,
try -k 1000001
try -k 1-2000
try -k 2-2
