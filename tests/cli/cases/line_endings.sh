# B47, a report: a list saved on Windows matched nothing of one with plain LF, because every key had an
# invisible CR. One rule for every command: bytes as they are, --crlf, and a warning.
cd "$DATA"
O=$OLDPWD
tamis build -o "$O/lf" -n 10 words_lf.txt
tamis build -o "$O/crlf" -n 10 words_crlf.txt
tamis build -o "$O/crlf2" -n 10 --crlf words_crlf.txt
tamis check -c "$O/lf" words_crlf.txt
tamis check -c --crlf "$O/lf" words_crlf.txt
tamis check -c "$O/crlf" words_lf.txt
tamis check -c "$O/crlf2" words_lf.txt
tamis check -c --crlf "$O/lf" words_mixed.txt
tamis check "$O/lf" words_bom.txt | od -An -c | head -1
tamis dedup words_lf.txt words_crlf.txt | wc -l
tamis dedup --crlf words_lf.txt words_crlf.txt | wc -l
tamis dedup --crlf words_crlf.txt | cmp - words_crlf.txt
tamis common words_lf.txt words_crlf.txt
tamis common --crlf words_lf.txt words_crlf.txt | wc -l
tamis minus --crlf words_mixed.txt words_lf.txt | od -An -c
tamis dedup -q words_crlf.txt | wc -l
cmp "$O/lf" "$O/crlf2"
