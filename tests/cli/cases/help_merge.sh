tamis merge --help
