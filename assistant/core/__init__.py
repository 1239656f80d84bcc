"""The rules: events in, state out. Pure: no picture, port, window, file, clock or chance."""
