seq 10 | tamis build -o list -n 100
seq 11 20 | tamis add list; echo $?
seq 25 | tamis check -c list
printf 'x\n' > one; printf 'y' > two
tamis add list one two; printf 'x\ny\nz\n' | tamis check list
tamis info list | grep 'lines added'
tamis add missing one; echo $?
tamis add one one; echo $?
tamis add list missing; echo $?
cp list before
tamis add list --on-full grow one; echo $?
seq 1000 | tamis add list --on-full stop; echo $?
cmp list before
seq 1000 | tamis add list 2> said; echo $?; sed 's/about [0-9]*/about N/; s/load [0-9.]*/load L/; s/now [0-9.e-]*/now R/' said
seq 100 | tamis build -o growing; seq 1000 | tamis add growing; echo $?
echo a | tamis add growing --on-full warn; echo $?
