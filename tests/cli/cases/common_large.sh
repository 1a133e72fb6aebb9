# Exact within 16 MiB, with temporary files.
seq 1 300000 > one; seq 200001 500000 > two
tamis common -S 16M -T . one two > found; seq 200001 300000 | cmp - found
tamis minus -S 16M one two > rest; seq 1 200000 | cmp - rest
cat two | tamis common -S 16M one - | cmp - found
cat one | tamis minus - two | cmp - rest
tamis common --parallel 2 one two | cmp - found
tamis common -T nofolder -S 16M one two; echo $?; ls
