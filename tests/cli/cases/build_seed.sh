seq 50 > lines
tamis build -n 50 -o a --seed 7 lines; tamis build -n 50 -o b --seed 0x7 lines; cmp a b
tamis build -n 50 -o c lines; cmp -s a c || echo differ
tamis build -n 50 -o secret --secret-seed lines
stat -c %a secret
tamis info secret | grep seed
tamis info secret --json | grep -o '"secret_seed":true,"seed":null'
tamis info secret --show-seed | grep seed | sed 's/[0-9][0-9]*/N/'
tamis info secret --show-seed --json | grep -o '"seed":"[0-9]*"' | sed 's/[0-9][0-9]*/N/'
tamis check -c secret lines
tamis build -n 50 -o secret2 --secret-seed lines; cmp -s secret secret2 || echo differ
tamis merge -o m secret secret2; echo $?
