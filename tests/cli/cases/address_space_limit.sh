# So is what does not fit into the address space that the shell allows.
(ulimit -v 150000 && tamis --version) > version 2>&1 || exit 77 # a sanitizer needs more by itself
rm version
echo a > lines
mask() { sed 's/of [0-9]* bytes/of N bytes/; s/-p [0-9.e-]*/-p P/'; }
(ulimit -v 150000; tamis build -o list -n 100000000 -p 0.001 lines) 2>&1 | mask
(ulimit -v 150000; tamis dedup -n 100000000 lines) 2>&1 | mask
ls
