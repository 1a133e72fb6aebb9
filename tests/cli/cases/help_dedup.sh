tamis dedup --help
