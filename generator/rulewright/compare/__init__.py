"""Comparison of what was with what is: two editions, and what references meant with what they lead to now.

    typography       signs that are set in several ways and say the same
    word_changes     texts as words, what differs between two, and how alike they are
    matching         which rule of one edition is which of another
    pairing          the same for steps, tables, aids, errata and questions
    change           a rule, a step, a table or an aid then and now
    wording          what differs in the words of two of them, key by key as the model has them
    edition_changes  all changes between two editions: `compare`
    errata_fates     what became of the errata of the older one
    history          a thing in all editions of its book, and where a term of the book leads in each

    lock             what a rule said when a reference to it was read, kept in a file
    passages         every reference of all books and pages
    memory           which rule each remembered one is today
    drift            references that no longer mean what they meant: `drift`

A reference is compared by the rule it means, so that one that only got another number is no change. What
`rulewright impact` says compares the editions of today with those of a revision by `compare` as well.
"""
