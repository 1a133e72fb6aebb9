printf 'b\na\nb\n' > lines
chmod 640 lines
tamis dedup -o lines lines; cat lines; stat -c %a lines
ln -s lines link; echo b >> lines; tamis dedup lines -o link; cat lines; readlink link
tamis dedup -o lines missing; echo $?; cat lines
tamis dedup -o nofolder/x lines; echo $?
tamis dedup --json /a -o new lines; echo $?
tamis dedup -o /dev/full lines; echo $?
ls
