"""One file per command; cli.py only parses."""
