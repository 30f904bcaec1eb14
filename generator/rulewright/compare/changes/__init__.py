"""What differs between two editions: rules, steps of the sequence of play, tables and player aids.

    said         what editors say that something was
    words        texts as words, and two of them word by word
    similarity   how much two texts have in common
    side         one of the two editions, ready to be compared
    parts        rules that were split and merged
    matching     which rule was which
    change       what can have changed
    rules  tables  steps  aids
    errata       what became of the errata of the older edition
    comparison   all of these: `compare` takes any two editions
    groups       changes by chapter and by phase
    history      one rule through all editions
    counterparts what everything in one edition is in another

A reference is compared by the rule it means, so that one that only got
another number is no change.
"""
