# Every help fits 24 lines of 80 columns.
for command in dedup uniq build add check common minus merge info verify plan remove explain bench; do
    tamis $command --help > help
    [ "$(wc -l < help)" -le 24 ] || echo "$command: more than 24 lines"
    awk -v c=$command 'length($0) > 79 { print c ": " $0 }' help
    tamis help $command | cmp - help
done
tamis help records | awk 'length($0) > 79'
tamis --help | awk 'length($0) > 79'
