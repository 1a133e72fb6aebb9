printf 'a\nb\nc\n' | tamis build -o list -n 100
printf 'a\nx\nb\n' > one; printf 'y\nc' > two
tamis check list one two; echo $?
tamis check -v list one two; echo $?
tamis check -c list one two; echo $?
tamis check -vc list one two; echo $?
tamis check -q list one; echo $?
tamis check -q list /dev/null; echo $?
tamis check -m 2 list one two; echo $?
tamis check --line-number list one two; echo $?
tamis check --line-number -v list one two; echo $?
tamis check -c list /dev/null; echo $?
tamis check --mmap list one; echo $?
tamis check --line-buffered list one; echo $?
tamis check --parallel 4 list one; echo $?
tamis check missing one; echo $?
tamis check one one; echo $?
tamis check list missing; echo $?
tamis check list one -o hits; cat hits
