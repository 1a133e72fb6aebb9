# The man page and the completions in the repository are what the command makes.
sh "$SOURCE/tools/generate.sh" --check "$(command -v tamis)"; echo $?
tamis --generate nothing; echo $?
