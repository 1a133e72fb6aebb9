# Open ranges of -k: a record has those fields that it has, and at least the first.
printf 'a:b:c\nz:b:c\na:b\nz:b\na:b:c:d\nz:bc\n' > f
tamis dedup -t : -k 2- f
echo --; tamis dedup -t : -k -2 f
echo --; tr : '\t' < f | tamis dedup --tsv -k 1,3- --bad-records keep | tr '\t' :
echo --; tr : , < f | tamis dedup --csv -k 2-
echo --; printf '1,"b",c\n2,b,"c"\n3,"b,c"\n' | tamis dedup --csv -k 2-
echo --; tamis dedup -t : -k 3- f; echo $?
tamis dedup -t : -k 2-,1 f; echo $?
tamis dedup -t : -k 3,2- f; echo $?
tamis dedup -t : -k - f; echo $?
tamis dedup -t : -k -- f; echo $?
seq 1025 | paste -s -d : | tamis dedup -t : -k 1- ; echo $?
seq 1024 | paste -s -d : | tamis dedup -t : -k 1- | wc -l
