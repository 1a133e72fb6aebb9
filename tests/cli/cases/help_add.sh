tamis add --help
