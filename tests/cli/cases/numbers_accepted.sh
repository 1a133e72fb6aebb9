printf 'a\n' > lines
for p in 0.5 .5 5e-1 5E-1 1e-9 0.999 '+.5'; do tamis build -o list -n 10 -p "$p" lines && echo "p $p"; done
for n in 0 1 007 1000; do tamis build -o list -n "$n" -p 0.1 lines && echo "n $n"; done
for size in 64 1K 1k 1M 1m; do tamis build -o list -p 0.1 -S "$size" lines && echo "S $size"; done
for seed in 0 18446744073709551615 0xffffffffffffffff 0XaB; do
    tamis build -o list -n 1 --seed "$seed" lines && tamis info list | grep seed
done
for threads in 1 2 256; do tamis dedup --parallel "$threads" lines; done
