"""What comes from a Hugo site into a book: the site as Hugo reads it, its addresses, and what they mean here."""
