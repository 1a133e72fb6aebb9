# Keys with bytes above 0x7f: the same file everywhere (B27).
tamis build -o list -n 100 -p 0.001 --seed 1 "$DATA/highbyte_keys.txt"
tamis check -c list "$DATA/highbyte_keys.txt"
cksum < list
