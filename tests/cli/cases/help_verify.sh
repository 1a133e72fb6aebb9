tamis verify --help
