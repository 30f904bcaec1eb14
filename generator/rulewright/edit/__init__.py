"""Renumbering rules, making room for them and retiring them, with all that refers to them.

`moves` says which number becomes which, `spelling` how a number is written anew where it stands, `passages`
finds all texts that hold some and `citing` says what is changed in them, `naming` what else names a rule,
`rows` and `placing` where a rule stands in its files, `adding` what a new or a retired one needs there,
`proposal` makes of all this the files as they would be, `rereading` says what in them is to be read again,
`account` tells what was done, and `whereabouts` where things stand then. Nothing here writes a file.
"""
