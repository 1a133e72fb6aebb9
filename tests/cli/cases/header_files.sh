# A header equal to the first one is printed once; one that differs is passed through.
printf 'id,n\n1,a\n2,b\n' > a.csv
printf 'id,n\n2,c\n3,d\n' > b.csv
printf 'id,n' > only.csv
: > empty.csv
printf 'n,id\n4,d\n' > c.csv
tamis dedup --csv --header -k 1 empty.csv a.csv only.csv b.csv
echo --; tamis dedup --csv --header -k 1 a.csv c.csv
echo --; tamis dedup --header a.csv only.csv b.csv only.csv
tamis build -o list -n 10 --csv --header -k 1 a.csv only.csv b.csv
echo --; tamis check --csv --header -k 1 list a.csv b.csv
echo --; tamis check -v --csv --header -k 1 list a.csv b.csv c.csv
echo --; tamis check --csv --header -k 1 --line-number list a.csv b.csv
echo --; tamis check --csv --header -k 1 -c list a.csv b.csv
echo --; tamis dedup --header --parallel 3 a.csv only.csv b.csv
echo --; tamis dedup --exact --header a.csv a.csv
