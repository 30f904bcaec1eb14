"""Renumber, insert, move and retire rules, and update everything that refers to them.

renumber_plan        new numbers of rules, and ways to write numbers
key_edits            text edits that add and remove YAML keys
rule_blocks          rules of a file as blocks of lines
rule_placement       places of rules in their files; new and retired rules
reference_rewriting  references with new numbers
lock_updates         reference locks with new numbers, and accepted references
change_proposal      all files after a change, with the places to review
edit_operations      operations for editors: plan, report, write, undo
new_edition          new editions of a book
reference_fixes      fixes of stale references: `check --fix`
impact_report        effects of an edit on everything else
lost_addresses       addresses that lead nowhere after an edit
"""
