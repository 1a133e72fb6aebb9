printf 'b\na\n\nb\nx\n' > one; printf 'x\n\nb\nz' > two
tamis common one two; echo $?
tamis minus one two; echo $?
tamis minus one one; echo $?
tamis common one - < two | wc -l
tamis common - one < two; echo $?
tamis minus - two < one
tamis common one /dev/null; echo $?
tamis common - - < one; echo $?
tamis common one missing; echo $?
tamis common missing one; echo $?
tamis common -S 1K one two; echo $?
tamis common -i -o out one two; cat out
tamis common --stats=json one two 2>&1 > /dev/null | sed 's/"spilled_bytes.*//'
