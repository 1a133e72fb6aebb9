# B48, a report: a last line without newline was dropped (2 of 3 lines found), and whether one was added
# surprised users. Here it counts and gets its newline; empty lines count; an empty file has none.
cd "$DATA"
tamis dedup no_final_newline.txt | od -An -c
tamis dedup empty.txt; echo $?
tamis dedup only_newlines.txt | od -An -c
tamis build -o - -n 5 only_newlines.txt > "$OLDPWD/list"; cd - > /dev/null
echo | tamis check list | od -An -c
tamis info list | grep -E 'lines added|items est'
tamis build -o empty "$DATA/empty.txt"; tamis verify empty; tamis check empty "$DATA/words_lf.txt"; echo $?
tamis build -o three -n 3 "$DATA/no_final_newline.txt"; tamis check -c three "$DATA/no_final_newline.txt"
printf 'one\ntwo\nthree\n' | tamis check -c three
