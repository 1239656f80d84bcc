"""Bystander: watches the printed cards of Black Sonata and The Fair Youth, and remembers."""
