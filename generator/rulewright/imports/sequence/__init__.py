"""The one reader of sequences of play: lists of a site, documents and plain text become steps.

step_titles      what a line says: its label, its title, who acts, keys in brackets
outline_blocks   the lines in pieces, and which heading is inside which
steps_builder    the steps as sequence.yml, each guess marked
"""
