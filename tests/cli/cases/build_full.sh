# B41, a report: a filter for 10,000 items got 100,000; its rate rose to 99 % and nothing told. Beyond the
# capacity there is a warning and status 3, a stop, or growth.
seq 100000 > lines
tamis build -o list -n 10000 -p 0.01 lines 2> said; echo $?
sed 's/about [0-9]*/about N/; s/load [0-9.]*/load L/; s/now [0-9.]*/now R/' said
tamis info list --json | sed 's/.*"error_rate_now":\([0-9.]*\).*/\1/' | awk '{ exit !($1 > 0.98 && $1 <= 1) }' && echo near
tamis build -o list2 -n 10000 -p 0.01 --on-full stop lines; echo $?
tamis build -o list3 -n 100000 lines; echo $?
seq 11 | tamis build -o list4 -n 10; echo $?
seq 11 | tamis build -q -o list4 -n 10; echo $?
tamis check -c list4 lines 2> said > hits; echo $?
tamis check -c list lines 2>&1 | sed 's/about [0-9]*/about N/; s/load [0-9.]*/load L/; s/now [0-9.]*/now R/'
ls
