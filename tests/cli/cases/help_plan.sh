tamis plan --help
