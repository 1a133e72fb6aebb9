tamis info --help
