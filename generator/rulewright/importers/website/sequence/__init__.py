"""A nested list as the sequence of play: steps, their keys, and their narrative."""
