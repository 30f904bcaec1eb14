"""Impact of an edit: the content as it was at a revision held against the content as it is.

    snapshot     the content at one time, with all that is made of it, and the edits between two
    rereading    texts that cite what was edits, errata and questions about it
    sheets       sheets that would be printed otherwise, and whether they still fit
    assessment   all of these, and addresses that are lost: `assess`
    report       the assessment as text, Markdown and JSON

Both are made by the program of today, so what differs is the content's doing alone.
"""
