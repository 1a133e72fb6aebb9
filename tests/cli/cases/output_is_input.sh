# An input that is also the output would be read as it grows.
seq 3 > lines
seq 2 > other
tamis build -o list -n 10 other
tamis check -v list lines >> lines; echo "status $?"
tamis check -v list < lines >> lines; echo "status $?"
tamis dedup other lines >> lines; echo "status $?"
tamis minus lines other >> lines; echo "status $?"
tamis check -c -v list lines >> lines; echo "status $?"
cat lines
# Nothing is left to read in a file that the shell has emptied; -o replaces the file.
seq 3 > empty
tamis dedup empty > empty; echo "status $?"
tamis check -v list lines empty > empty; echo "status $?"
tamis check -v list lines -o lines; echo "status $?"
cat lines
