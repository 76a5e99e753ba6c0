// The module's first file takes this one's place.
