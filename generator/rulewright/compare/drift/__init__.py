"""What each reference meant when an editor last read it, and what has become of that since.

    lock         the file that keeps it: how it is written, read and put in order
    references   every reference of all books and pages, with the folder whose file keeps it
    meaning      what a rule or a table says, and the short mark of that
    remembered   the rules of a lock as an edition of their own, to be matched with those of today
    fates        which rule each remembered one is now, and what it says differently
    alarm        what is to be told: rules that moved, numbers that mean others, rules to read again
    recording    what has been read entered in the locks

A lock keeps a line for each reference, so that where two branches meet, each reference still says what it
meant to the editor who wrote it.
"""
