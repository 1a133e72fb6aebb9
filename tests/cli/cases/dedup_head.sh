# A reader that goes away ends the command at once and quietly.
yes | sed = | tamis dedup | head -1
