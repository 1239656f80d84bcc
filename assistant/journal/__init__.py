"""Events to lines and back; replay and recovery. Opens no files."""
