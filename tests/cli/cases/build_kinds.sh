seq 100 > lines
tamis build -o a -n 100 lines; tamis info a | grep -E 'kind|capacity|error rate  '
tamis build -o b lines; tamis info b | grep -E 'kind|error rate  '
tamis build -o c --kind counting -n 100 -p 0.01 lines; tamis info c | grep -E 'kind|payload|stuck'
tamis build -o d --kind bloom lines; tamis info d | grep -E 'kind|capacity  '
tamis build -o e -n 10 --on-full grow lines; tamis info e | grep -E 'kind|^layer'
tamis build -o f -S 1K -p 0.01 lines; tamis info f | grep -E 'kind|capacity  |payload'
tamis build -o g -n 100 -S 1K lines; tamis info g | grep -E 'kind|payload'
tamis build -o h --compact -n 100 lines; tamis info h | grep -E 'compact'
for list in a b c d e f g h; do tamis check -c $list lines; tamis verify $list; done
cat lines | tamis build -o i --kind counting; echo $?
