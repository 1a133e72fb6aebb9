# The union; the output may be an input (B31).
seq 1 50 | tamis build -o a -n 100; seq 51 100 | tamis build -o b -n 100
tamis merge -o c a b; echo $?
seq 120 | tamis check -c c
cp a a2; tamis merge -o a2 a2 b; cmp a2 c
tamis merge -o - a b | cmp - c
tamis merge -o d a; cmp d a
tamis merge -o d a a; cmp d a
tamis merge -o d - b < a; cmp d c
seq 5 | tamis build -o e -n 101; tamis merge -o x a e; echo $?
seq 5 | tamis build -o f -n 100 --seed 1; tamis merge -o x a f; echo $?
seq 5 | tamis build -o g -n 100 -i; tamis merge -o x a g; echo $?
seq 5 | tamis build -o h -n 100 -p 0.5; tamis merge -o x a h; echo $?
seq 5 | tamis build -o i -n 100 --kind counting; tamis merge -o x a i; echo $?
tamis merge -o x i i; echo $?
seq 5 | tamis build -o j; tamis merge -o x j j; echo $?; tamis merge -o x j a; echo $?
tamis merge -o x a missing; echo $?
seq 101 300 | tamis build -q -o k -n 100; tamis merge -o x a k 2> said; echo $?
sed 's/about [0-9]*/about N/; s/load [0-9.]*/load L/; s/now [0-9.e-]*/now R/' said
ls
