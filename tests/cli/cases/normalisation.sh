# What travels with a list: check, add and remove apply it; another one is refused.
printf ' Abc \n' > lines
tamis build -o list -n 10 -i --trim lines
printf 'ABC\nabc \nabd\n' | tamis check list
printf 'XYZ\n' | tamis add list; echo xyz | tamis check -c list
printf 'aBC\n' | tamis check -i list
printf 'aBC\n' | tamis check --trim list
tamis check --hex list lines; echo $?
tamis add --url list lines; echo $?
tamis build -o plain -n 10 lines; tamis check -i plain lines; echo $?
tamis build -o c -n 10 -i --kind counting lines; printf ' ABC \n' | tamis remove c; tamis remove --trim c lines; echo $?
printf 'Abc\nabc\nABC\n' | tamis dedup -i
printf 'a\n a\na \n' | tamis dedup --trim
printf 'AB\nab\n' | tamis dedup --hex
printf 'AB\nabc\n' | tamis dedup --hex; echo $?
printf 'zz\n\nab\n' | tamis dedup --hex --bad-records keep
printf 'A\n' > u; printf 'a\n' > l; tamis common -i u l; tamis minus -i u l; echo $?
