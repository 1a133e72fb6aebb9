# B56, a report: "seen" was used to drop items, and nobody knew that a wrong answer loses data. Lines that
# may have been dropped wrongly are counted, and warned of: about 166 of these (standard deviation 13).
seq 100000 > lines
tamis dedup -n 100000 -p 0.01 --on-full warn --stats=json lines 2> report | wc -l > printed
echo $?
awk '{ exit !($1 >= 99754 && $1 <= 99914) }' printed && echo plausible
sed -n 1p report | sed 's/about [0-9]* of [0-9]*/about N of N/'
sed 's/.*"lines_dropped_wrongly":\([0-9.]*\).*/\1/' report | tail -1 | awk '{ exit !($1 > 126 && $1 < 206) }' && echo near
tamis dedup -q -n 100000 -p 0.01 --on-full warn lines | wc -l | awk '{ exit !($1 > 99700) }' && echo quiet
tamis dedup lines | cmp - lines && tamis dedup --exact lines | cmp - lines && echo same
