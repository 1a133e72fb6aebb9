tamis remove --help
