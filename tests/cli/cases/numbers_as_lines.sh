# B53, a report: a library that knew only strings took integers, hashed all of them alike, and found
# each of 100,000 that had never been added. As lines, about one in a hundred is found at 1 %.
seq 0 99999 > in
seq 100000 199999 > out
tamis build -o list -n 100000 -p 0.01 in
tamis check -c list in
hits=$(tamis check -c list out)
[ "$hits" -ge 810 ] && [ "$hits" -le 1190 ] && echo "about 1000" || echo "$hits hits"
