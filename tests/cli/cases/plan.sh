tamis plan -n 10000000 -p 0.001
tamis plan -n 1000 -S 1K
tamis plan -p 0.01 --memory 1M
tamis plan -n 1000 -p 0.01 --json
tamis plan -n 10000000 -S 1M
tamis plan --compact -n 1000000 -p 1e-6 | sed -n 5p
tamis plan -n 0 -p 0.5 | sed -n 5p | cut -c1-60
tamis plan -n 281474976710656 -p 1e-9; echo $?
