# What does not fit is refused at once, and nothing is made (B45).
echo a > lines
tamis build -o list -n 2001794995090 -p 0.01 lines 2>&1 | sed 's/of [0-9]* bytes/of N bytes/'
ls
