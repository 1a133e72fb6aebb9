#!/bin/sh
# compare.sh EXPECTED COMMAND...: runs the command; its output must be the file EXPECTED.
expected=$1
shift
output=$("$@") || { echo "$*: exit status $?"; exit 1; }
printf '%s\n' "$output" | diff -u "$expected" -
