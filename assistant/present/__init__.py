"""The state told: map geometry, light colours, the terminal map, words. Draws and opens nothing."""
