# No bar where stderr is no terminal.
seq 1000 | tamis dedup --progress | wc -l
