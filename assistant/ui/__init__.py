"""Tk views. They draw what presenters say and send back what was pressed; they decide nothing."""
