"""Renumbering rules, making room for them and retiring them, with all that refers to them.

moves                which number becomes which, and how it is written where another one stood
list_entries         entries of lists in YAML: moved, added, taken out
placement            where a rule stands in its files; new and retired ones
reference_rewriting  references, written as the new numbers
locks                the locks by the new numbers, and references that have been read entered in them
proposal             the files as they would be, made of all these, and the places to be read again
requests             the changes that an editor can ask for: worked out, told, written, taken back
reference_fixes      references to moved rules, mended: `check --fix`
impact               what an edit touches and what it breaks
"""
