"""Comparison of two states of a book: two editions, two revisions, a lock and the current content.

    typography                signs that are set in several ways and say the same
    word_diff                 texts as words, what differs between two, and how similar they are
    matching                  which rule of one state is which of the other
    item_matching             the same for steps, tables, errata and player aids
    item_change               a rule, a step, a table or an aid in both states
    field_diff                what differs in the words of two of them, key by key
    edition_diff              all changes between two editions, or between two states of all editions
    history                   an item in all editions of its book, and where a term leads in each
    successor_rules           what became of the rule that had a number in an earlier edition

    rule_digests              digests and sketches of the words of rules, for locks
    recorded_rules            which current rule each recorded one is
    name_changes              outdated names of steps, tables and terms in texts
    stale_references          references whose rule is not the recorded one
    stale_reference_problems  what is reported of them

A reference is compared by the rule that it means, so a new number is no change.
"""
