"""One file per command: what it takes, what it prints, its exit code."""
