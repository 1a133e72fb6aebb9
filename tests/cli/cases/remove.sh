printf 'a\nb\nb\nc\n' | tamis build -o list -n 100 --kind counting
printf 'b\nx\n' | tamis remove list; echo $?
printf 'a\nb\nc\nx\n' | tamis check list
printf 'b\na\n' | tamis remove --stats=json list 2>&1 | sed 's|[0-9.]*e-[0-9][0-9]*|R|g'
printf 'a\nb\nc\nx\n' | tamis check list
printf 'x\n' | tamis remove -q list; echo $?
tamis info list | grep 'lines added'
seq 5 | tamis build -o bloom -n 100; seq 2 | tamis remove bloom; echo $?
seq 5 | tamis check -c bloom
seq 5 | tamis build -o growing; seq 2 | tamis remove growing; echo $?
tamis remove missing; echo $?
