"""Learning a player's own cards and camera: shots in, a card profile out."""
