tamis check --help
