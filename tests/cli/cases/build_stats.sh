seq 50 > lines; seq 25 >> lines
tamis build -n 50 -o list --stats=json lines
tamis build -n 50 -o list --stats -q lines
tamis add list --stats=json lines
tamis check list --stats=json lines -c
