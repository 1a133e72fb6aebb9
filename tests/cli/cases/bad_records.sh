printf 'a:1\nb\nc:1\n' > lines
for command in dedup 'build -o list -n 9' ; do tamis $command -t : -k 2 lines; echo $?; done
ls
tamis build -o list -n 9 -t : -k 1 --bad-records keep lines
tamis check -t : -k 2 list lines; echo $?
tamis check -t : -k 1 list lines; echo $?
tamis check -t : -k 2 --bad-records keep list lines; echo $?
tamis check -t : -k 2 --bad-records keep -c list lines; echo $?
tamis common -t : -k 2 lines lines; echo $?
tamis minus -t : -k 2 --bad-records keep lines lines; echo $?
tamis add -t : -k 2 list lines; echo $?
