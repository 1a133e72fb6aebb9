cat > table.csv <<'X'
id,name,note
1,"Doe, Jane",x
2,"Doe, Jane","two
lines"
3,"say ""hi""",y
4,"say ""hi""",z
5,plain,
5,"plain",
X
tamis dedup --csv --header -k 2 table.csv
echo --; tamis dedup --csv --header -k 1,2 table.csv | tail -2
echo --; tamis dedup --csv table.csv table.csv | wc -l
echo --; tamis dedup --csv -k 3 --bad-records keep <<'X'
a,b,c
a,b
"open
a,b,c
X
echo --; printf 'a,b\nc\n' | tamis dedup --csv -k 2; echo $?
printf '1,a\n2,"b"x\n' | tamis dedup --csv -k 1; echo $?
printf '1,"a"\r\n' | tamis dedup --csv -k 1; echo $?
printf '1,"a"\r\n2,a\r\n' | tamis dedup --csv --crlf -k 2
printf 'a;"x;y"\nb;"x;y"\n' | tamis dedup --csv -t ';' -k 2
printf 'a,b\n"a",c\n' > a; printf '"b"\n' > b
tamis build -o list -n 10 --csv -k 1 a; echo a | tamis check list
