"""Numbered lights on a serial port: wire protocols, the port driver, firmware. Knows no game."""
