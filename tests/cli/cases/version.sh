tamis --version
