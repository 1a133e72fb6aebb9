# Options before, between and behind operands; clusters; --name=value; -- ends them.
printf 'a\nb\na\n' > lines
printf 'b\n' > -n
tamis build lines -o list -n 5
tamis build -olist2 -n5 -- lines -n; tamis info list2 --json | grep -o '"lines_added":[0-9]*'
tamis check list lines -vc
tamis check -c list lines
tamis check --max-count=1 list -- lines
tamis dedup lines --stats=json --capacity=3 2>&1 | tail -1 | cut -c1-50
