printf 'a\nb\n' | tamis build -o l1 -n 100
printf 'b\nc\n' | tamis build -o l2 -n 100
printf 'a\nb\nc\nd\n' > lines
tamis check -l first=l1 -l second=l2 lines; echo $?
tamis check -l first=l1 -l second=l2 -v lines; echo $?
tamis check -l first=l1 -l second=l2 -c lines; echo $?
tamis check -l first=l1 -l second=l2 --line-number lines; echo $?
tamis check -l first=l1 -l second=l2 -m 2 lines; echo $?
tamis check -l only=l1 lines
printf 'b\n' | tamis build -o l3 -n 100 -i
tamis check -l a=l1 -l b=l3 lines; echo $?
tamis check -l a=- -l b=- lines; echo $?
tamis check -l a=- < l1; echo $?
