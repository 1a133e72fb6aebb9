tamis bench --help
