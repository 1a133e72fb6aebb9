# B07, a report: positions above 2^31 were never used, so the rate rose without an error; what gave it
# away was that the saved file compressed well. One that is loaded to its capacity does not.
command -v gzip > /dev/null || exit 77
for p in 0.1 0.01 0.001; do
    seq 300000 | tamis build -o list -n 300000 -p $p
    whole=$(wc -c < list) packed=$(gzip -c list | wc -c)
    [ $((packed * 100)) -ge $((whole * 95)) ] && echo dense || echo "$whole bytes, $packed of them left"
done
