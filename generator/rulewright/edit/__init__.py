"""Renumbering rules, making room for them and retiring them, with all that refers to them.

moves                which number becomes which
number_style         how a number is written where it stands, and another one in the same way
list_entries         entries of lists in YAML: moved, added, taken out
placement            where a rule stands in its files
insertion            new and retired rules
reference_rewriting  references, written as the new numbers
lock_update          the locks by the new numbers
proposal             the files as they would be, made of all these
reread               the places to be read again
moved_places         where a place of a file is after a change
change_report        the report of a change
requests             the changes that an editor can ask for, made of all these
desk                 the edition that is changed, and the writing of its files
receipt              a change that was written, for taking it back
accepting            references read again, whose meaning is recorded anew
reference_fixes      references to moved rules, mended: `check --fix`
"""
