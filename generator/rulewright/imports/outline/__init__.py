"""A sequence of play in plain text, as people type it off a rulebook, read into steps.

    wording        what a line says: its label, its title, who acts
    lines          the text in pieces, and which heading lies in which
    transcription  the steps as a sequence.yml, each guess marked

Nothing is rewritten: the words stay, and what is not understood is reported with its line.
"""
