seq 10 | tamis build -o list -n 100
mkfifo pipe
tamis add list < pipe &
exec 3> pipe
sleep 0.3
echo z | tamis add list; echo $?
echo z | tamis remove list; echo $?
tamis build -o list -n 100 /dev/null; echo $?
tamis merge -o list list; echo $?
tamis check -c list <<X
1
X
echo z | tamis add --wait list 3>&- &
echo y >&3
exec 3>&-
wait
printf 'y\nz\n' | tamis check list
