"""The rules of a book, found in the blocks of its pages by their numbers."""
