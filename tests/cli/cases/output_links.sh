# -o FILE follows symbolic links, also dangling ones, and takes any name and mode.
mkdir there
seq 3 > lines
echo old > there/old; chmod 640 there/old
ln -s there/old to_old
ln -s there/new to_new
ln -s to_new to_link
ln -s loop loop
tamis dedup -o to_old lines; tamis dedup -o to_link lines
wc -l < there/old; wc -l < there/new
readlink to_old to_new to_link
stat -c %a there/old
tamis dedup -o loop lines; echo "status $?"
name=$(printf '%0255d' 0)
tamis dedup -o "$name" lines; wc -l < "$name"
tamis dedup -o "there/$name" lines; wc -l < "there/$name"
tamis dedup -o "${name}0" lines 2> error; echo "status $?"; grep -c 'File name too long' error
tamis dedup -o nowhere/file lines; echo "status $?"
(umask 027; tamis dedup -o masked lines); stat -c %a masked
ls -A there | sort | cut -c 1-20
