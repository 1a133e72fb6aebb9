tamis build --help
