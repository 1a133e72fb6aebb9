cat > lines <<'X'
HTTP://Example.COM:80/a/../b/%7Euser?Q=%7e#frag
http://example.com/b/~user?Q=%7e
http://example.com/b/~user?Q=~
http://example.com
http://example.com/
https://example.com:443
https://example.com:80
not a url
www.example.com
X
tamis dedup --url lines
tamis build -o list -n 10 --url lines
printf 'http://EXAMPLE.com:/#x\n' | tamis check list
tamis info list | grep norm
