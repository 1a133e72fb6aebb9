for words in "--items" "--items 10" "--items 20k,x" "--items 20k," "--items 1000000G" "--items 99999999999999999999999999999999999" \
    "--items -5k" "--items k" "--part nothing" "--svg plot.svg --part kinds" "20k"; do
    tamis bench --quick $words; echo $?
done
ls
# Too large for any machine: said, not tried; nothing is missed then.
tamis bench --quick --part sizes --items 68G --strict | sed '1,2d; s/needs.*/needs .../'
tamis bench --quick --part sizes --items 68G --strict > out; echo $?
# No batch takes no time at all: with --strict, a target that is missed gives status 1.
tamis bench --quick --part strings --items 20k --json --strict > out; status=$?
python3 -c 'import json; print((json.load(open("out"))["missed"] > 0) == ('$status' == 1), '$status' < 2)'
