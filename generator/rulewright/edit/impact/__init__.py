"""What an edit touches: the content as it was at a revision held against the content as it is.

    standing     all that is made of the content at one time
    edited       what was edited: rules, steps, tables and aids of each edition
    lost         addresses that lead nowhere now, or to something else
    reading      texts that cite what was edited, to be read again
    remarks      errata and questions that hold no more, or are of what was edited
    sheets       what would be printed otherwise, and whether it still fits
    assessment   all of these: `assess`
    telling      the assessment in sections of lines
    written      the sections as text, Markdown and JSON

Both are made by the program of today, so what differs is the content's doing alone.
"""
