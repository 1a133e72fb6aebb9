# A killed run leaves half a line at the end of its output: the next one, which adds to
# it, does not glue its first line to it.
printf 'whole\nhal' > out
printf 'tuesday-1\ntuesday-2\n' | tamis dedup --state st >> out
cat out
printf 'wednesday\n' | tamis dedup --state st >> out
tail -n 1 out
# Named pipes that could only be locked, not rewritten, are refused at once.
mkfifo pipe
echo x | tamis add pipe
