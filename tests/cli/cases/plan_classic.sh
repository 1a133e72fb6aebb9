# The classic sizes of the field reports (B01, B03, B57), and what lines take beside them.
grep -v '^#' "$DATA/plan_expected.tsv" | while IFS="$(printf '\t')" read -r n p bits bytes k; do
    tamis plan -n "$n" -p "$p" | awk -v n="$n" -v p="$p" -v bytes="$bytes" '
        /^a classic/ { if ($9 < bytes - 1 || $9 > bytes + 1) print "classic size of", n, p, "is", $9, "not", bytes }
        /^bloom/ { if ($3 > bytes * 1.11) print "size of", n, p, "is", $3 }'
done
for n in 4194304 8388608 16777216 33554432 67108864 134217728 268435456 536870912 1073741824 2147483648; do
    tamis plan -n $n -p 0.001 | awk '/^bloom/ { print $3 }'
done | awk 'NR > 1 { r = $1 / last; if (r < 1.998 || r > 2.002) print "ratio", r } { last = $1; n++ } END { print n }'
