"""Comparison of what was with what is: two editions, and what references meant with what they lead to now.

    words      texts as words, what differs between two, and how alike they are
    matching   which rule of one edition is which of another
    change     a rule, a step, a table or an aid then and now
    rules, steps, tables
               changes of each sort, with tables those of player aids
    editions   all changes between two editions, and what became of errata: `compare`
    history    a rule, a step, a table or an aid in all editions of its book

    lock       what a rule said when a reference to it was read, kept in a file
    passages   every reference of all books and pages
    memory     which rule each remembered one is today
    drift      references that no longer mean what they meant: `drift`

A reference is compared by the rule it means, so that one that only got another number is no change. What
`rulewright impact` says compares the editions of today with those of a revision by `compare` as well.
"""
