# Rates and counts that are none: refused, and nothing is made (B15).
printf 'a\n' > lines
grep -v '^#' "$DATA/params_reject.tsv" | while IFS="$(printf '\t')" read -r n p why; do
    tamis build -o list -n "$n" -p "$p" lines; echo "$? $why"
done
for p in nan NaN inf -inf 0x1p-3 1e-400 ' 0.1' '0.1 ' 0.1x '' 5% 0.5% 1e 1e+ . +.5e1 100 99; do
    tamis build -o list -n 10 -p "$p" lines; echo "$? p $p"
done
for n in '' -1 +1 1.5 1e-6 10MB 0x10 ' 1' 281474976710657 99999999999999999999999; do
    tamis build -o list -n "$n" -p 0.1 lines; echo "$? n $n"
done
for size in 0 0K -1 1.5 1KB G 1P 16777216T 18446744073709551616; do
    tamis build -o list -p 0.1 -S "$size" lines; echo "$? S $size"
done
for seed in -1 18446744073709551616 0x 0x10000000000000000 1x 0xg ''; do
    tamis build -o list -n 1 --seed "$seed" lines; echo "$? seed $seed"
done
for threads in 0 257 two ''; do tamis dedup --parallel "$threads" lines; echo "$? parallel $threads"; done
for most in 0 -1 x; do tamis check -m "$most" list lines; echo "$? m $most"; done
tamis dedup --state s --checkpoint 1h lines; echo "$?"
ls
