cat > lines <<'X'
{"user":{"id":1},"n":1}
{"user":{"id":1.0},"n":2}
{"user":{"id":1},"n":3}
{"user":{"id":"1"},"n":4}
{"user":{"id":12345678901234567890123},"n":5}
{"user":{"id":12345678901234567890124},"n":6}
{"user":{"id":null},"n":7}
{"user":{"id":"a\u00e9"},"n":8}
{"user":{"id":"aé"},"n":9}
X
tamis dedup --json /user/id lines
echo --; printf '[1,[2,"x"]]\n[3,[4,"x"]]\n' | tamis dedup --json /1/1
echo --; printf '"a"\n "a" \n1\n' | tamis dedup --json ''
echo --; printf '{"a/b":{"m~n":1}}\n' | tamis dedup --json '/a~1b/m~0n'
echo --; printf '{"a":"x\\u0000y"}\n' | tamis build -o list -n 9 --json /a; printf 'x\0y\n' | tamis check -c list
for bad in '{}' '{"a":[1]}' '{"a":1}x' '{"a":01}' '' '{"a":1,}' 'nul' '{"a":"' "{'a':1}"; do
    printf '%s\n' "$bad" | tamis dedup --json /a; echo "$? $bad"
done
printf '{"a":1}\noops\n{"a":1}\n' | tamis dedup --json /a --bad-records keep --stats=json 2>&1 | sed 's|[0-9.]*e-[0-9][0-9]*|R|g'
tamis dedup --json a lines; echo $?
tamis dedup --json /a~2 lines; echo $?
