# B45, a report: a filter for 2 * 10^12 items was cut down to 90 % of the memory, which broke the promised
# rate and nearly the machine. What does not fit is refused at once, and nothing is made.
echo a > lines
timeout 5 tamis build -o list -n 2001794995090 -p 0.01 lines 2>&1 | sed 's/of [0-9]* bytes/of N bytes/'
ls
tamis plan -n 2001794995090 -p 0.01 | head -2
