"""The types that content files are read into: rulebook, edition, rule, step, table, aid, erratum, look."""
