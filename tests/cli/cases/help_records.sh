tamis help records
tamis help nothing
