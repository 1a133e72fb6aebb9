# Options that do not go together.
try() { tamis "$@" < /dev/null; echo "$? tamis $*"; }
try dedup --exact --state s
try dedup --exact -p 0.1
try dedup --exact -n 5
try dedup --exact --on-full warn
try dedup --state s -o x
try dedup --wait
try dedup --checkpoint 5
try dedup --csv --tsv -k 1
try dedup --csv --json /a
try dedup --tsv --json /a -k 1
try dedup --tsv -t , -k 1
try dedup --json /a -k 1
try dedup --json /a -t ,
try dedup --hex --url
try dedup --tsv
try dedup -k 2
try dedup -t ,
try dedup -t ab -k 1
try dedup -t '
' -k 1
try dedup -z -t '\0' -k 1
try dedup --csv -t '"'
try dedup --on-full stop
try dedup --on-full warn
try build -o x --seed 1 --secret-seed
try build -o x --kind bloom --on-full grow
try build -o x --kind counting --on-full grow
try build -o x --kind scalable --on-full warn
try build -o x --kind scalable --on-full stop
try build -o x --kind scalable -S 1M
try build -o x --kind bloom
try check l -c --line-number
try check -l a=l -l a=m
try check -l a
try check -l =l
try check -l a=
try info --mmap x
ls
