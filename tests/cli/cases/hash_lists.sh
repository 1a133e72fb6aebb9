# B50, a report: look-ups in a list of HASH:COUNT in capitals failed for hashes in lower case, or took the
# first 40 characters of shorter lines. Whole lines do not match; with field and case they do.
tamis build -o whole -n 10 "$DATA/hibp_like.txt"
tamis check -c whole "$DATA/hibp_queries.txt"
tamis build -o field -n 10 -t : -k 1 -i "$DATA/hibp_like.txt"
tamis check -c field "$DATA/hibp_queries.txt"
tamis build -o bytes -n 10 -t : -k 1 --hex "$DATA/hibp_like.txt"
tamis check -c bytes "$DATA/hibp_queries.txt"
sed 's/$/  /' "$DATA/hibp_queries.txt" | tamis check -c bytes; echo $?
tamis build -o trimmed -n 10 -t : -k 1 --hex --trim "$DATA/hibp_like.txt"
sed 's/$/  /' "$DATA/hibp_queries.txt" | tamis check -c trimmed
