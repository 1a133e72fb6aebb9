tamis common --help
