# What a message advises can be done with the command that gives it.
seq 100 > many
tamis build -n 10 -o fixed --on-full stop many; echo $?
seq 5 | tamis build -n 10 -o fixed
tamis add --on-full stop fixed many; echo $?
tamis dedup --on-full stop -n 10 many | tail -1
cp fixed seen; tamis dedup --state seen --on-full stop many | tail -1
tamis dedup --state fixed many > printed; echo $?
tamis dedup -S 64 many > printed; echo $?
tamis dedup -S 64 -n 1 -p 0.1 many > printed; echo $?
tamis build -o g1 many; tamis build -o g2 many
tamis merge -o g g1 g2; echo $?
echo --; tamis common -T nodir many many; echo $?
tamis minus -T many many many | tail -1; echo $?
TMPDIR=nodir tamis minus many many; echo $?
