tamis minus --help
