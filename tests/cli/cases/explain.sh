printf 'a\nb\n' | tamis build -o list -n 100 -p 0.01 -i
mask() { sed 's|rate now .*|rate now R)|'; }
tamis explain list A zz | mask
tamis explain list ''
printf 'a\n' | tamis build -o small -n 1000 -p 1e-6
tamis explain small "$(printf '\377"')" | head -1
tamis explain small a | grep -c lane
seq 300 | tamis build -o grown -n 10 --on-full grow
tamis explain grown 300 | grep -v lane | mask
printf 'ab\n' | tamis build -o hex -n 10 --hex; tamis explain hex xyz; echo $?
