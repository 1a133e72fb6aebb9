printf 'b\na\nb\n' > lines
mask() { sed 's/[0-9.]*e-[0-9][0-9]*/R/g'; }
tamis dedup --stats -n 100 lines 2>&1 | mask
tamis dedup --stats=json -n 100 -p 0.01 lines 2>&1 | mask
tamis dedup --stats --exact lines | tail -1
