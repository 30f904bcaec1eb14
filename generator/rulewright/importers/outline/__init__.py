"""A sequence of play in plain text, as people type it off a rulebook, read into steps.

    labels    what a line may begin with: A., 2., iv), [3.2], 4.A.1., Phase 2:
    lines     the text in pieces: headings, paragraphs, notes
    titles    what a heading says beside its title
    nesting   which heading lies in which
    actors    who acts, as the words have it
    steps     the steps as a sequence.yml, each guess marked

Nothing is rewritten: the words stay, and what is not understood is reported with its line.
"""
