"""Steps of the sequence of play: who acts, repeats, the turn as played, and the words for them."""
