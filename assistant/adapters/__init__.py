"""The only code that touches the world: cameras, log files, profiles on disk, Tesseract, clock."""
