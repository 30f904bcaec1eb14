"""Parts of the content in other formats: sequences of play, tables, books, differences, schemas."""
