"""Arrays in, sightings out; settling over frames. No camera, window, file or clock."""
