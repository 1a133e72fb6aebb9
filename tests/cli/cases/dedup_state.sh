printf 'b\na\nb\n' | tamis dedup --state seen
printf 'c\na\n' | tamis dedup --state seen
printf 'c\na\nb\n' | tamis dedup --state seen | wc -l
tamis verify seen
tamis info seen | grep -E 'kind|lines added'
