# Empty and saturated filters have defined answers (B42), many layers get advice (B39).
tamis build -o empty -n 1 -p 0.5 /dev/null; tamis info empty | grep -E 'items|load|now'
seq 10000 | tamis build -q -o full -n 1 -p 0.5; tamis info full | grep -E 'items|now|over|advice' | sed 's/at least [0-9]*/at least N/; s/load .*/load L (over-full)/; s/estimated [0-9][0-9]*/estimated N/'
tamis info full --json | grep -o '"saturated":[a-z]*'
tamis info full --json | grep -ciE 'inf|nan'
seq 2000000 | tamis build -o grown -n 100 -p 0.01 --on-full grow; tamis info grown | grep -E 'layer|advice'
