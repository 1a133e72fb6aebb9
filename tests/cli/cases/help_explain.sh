tamis explain --help
