"""What comes from a Hugo site into a book: the site as Hugo reads it, and what its addresses mean here."""
