# A state that does not fit is refused; a failed first run leaves none.
printf 'a\n' > lines
tamis dedup --state seen missing; echo $?
tamis dedup --state nofolder/seen lines; echo $?
tamis dedup --state seen -p 0.5 lines -k; echo $?
tamis dedup --state seen --json /a lines; echo $?
ls
tamis dedup --state seen -n 10 lines
tamis dedup --state seen -n 10 -p 1e-9 lines
tamis dedup --state seen -n 11 lines; echo $?
tamis dedup --state seen -p 0.01 lines; echo $?
tamis dedup --state seen -i lines; echo $?
tamis dedup --state seen --on-full warn lines; echo $?
tamis dedup --state lines lines; echo $?
cp "$DATA/forged_6bytes.bin" forged; tamis dedup --state forged lines; echo $?
tamis dedup --state fixed -n 5 --on-full warn lines
tamis dedup --state fixed --on-full grow lines; echo $?
tamis dedup --state fixed lines; echo $?
ls
