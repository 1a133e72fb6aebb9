# A run that stops (filter full, bad record, signal) and cannot write its output
# does not save its state: the next run prints the lines.
fails() { timeout --foreground -s INT --preserve-status 1 tamis dedup "$@" > /dev/full; echo "status $?"; }

seq 1 50 | fails --state full -n 10 --on-full stop
ls
seq 1 50 | tamis dedup --state full -n 10 --on-full stop | wc -l

printf 'a:1\nb:2\nbad\n' > records
fails --state bad -t : -k 2 records
ls
tamis dedup --state bad -t : -k 2 records

fails --state stopped -z /dev/zero
ls
head -c 3 /dev/zero | tamis dedup -z --state stopped | wc -c

# A state from earlier stays as it was.
for state in full bad stopped; do
    rm -f $state
    echo first:first | tamis dedup --state $state -n 10 --on-full stop > before
    cp $state kept
    case $state in
    full) seq 1 50 | fails --state full --on-full stop ;;
    bad) fails --state bad -t : -k 2 records ;;
    stopped) fails --state stopped -z /dev/zero ;;
    esac
    cmp $state kept
done
