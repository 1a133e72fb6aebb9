# B30, a report: fifteen words were added, one of them twice, and there was no telling how many the
# filter held, nor whether the repeat counted. Lines read and distinct items are told apart.
printf '%s\n' the quick brown fox jumps over a lazy dog and runs to the far hills > words
wc -l < words
tamis build --stats -o list -n 100 words 2>&1 | grep -E '^lines (read|new|already)'
tamis info list | grep -E 'lines added|items est'
tamis build -o empty -n 100 /dev/null; tamis info empty | grep -E 'lines added|items est'
tamis info missing; echo $?
tamis info words; echo $?
