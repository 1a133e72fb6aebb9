seq 50 > lines
tamis build -n 50 -o - lines > list; tamis build -n 50 -o list2 lines; cmp list list2
seq 3 | tamis check - lines > /dev/null; echo $?
tamis check - lines < list | wc -l
tamis info - < list | head -1
tamis verify - < list
tamis explain - 1 < list | tail -1 | cut -c1-30
tamis check - - < list; echo $?
tamis check --mmap - lines < list; echo $?
tamis add - < list; echo $?
