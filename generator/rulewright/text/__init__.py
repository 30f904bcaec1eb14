"""Texts read once: blocks and words with their places, and what is made of them."""
