seq 100 | tamis build -o list -n 1000 -p 0.01 -i --trim
mask() { sed 's/\(\.[0-9][0-9]\)[0-9]*/\1/g; s/e-[0-9][0-9]*/e-N/g'; }
tamis info list | mask
tamis info list --json | mask
seq 100 | tamis build -o counting -n 1000 -p 0.01 --kind counting
tamis info counting | mask
tamis info missing; echo $?
