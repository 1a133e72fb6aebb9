# A list is replaced whole: mode kept, link kept; on an error it stays.
seq 50 > lines
tamis build -n 50 -o list lines; chmod 640 list; ln -s list link
tamis build -n 60 -o link lines; stat -c %a list; readlink link; tamis info list | grep 'capacity  '
cp list before
tamis build -n 60 -o list missing; echo $?
tamis build -n 60 -o list --json /a lines; echo $?
cmp list before
(ulimit -f 1; tamis build -n 6000 -o list lines); echo $?
cmp list before; ls
