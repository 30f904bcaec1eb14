"""What is wrong in the books: a kind of problem is declared beside the check that reports it."""
