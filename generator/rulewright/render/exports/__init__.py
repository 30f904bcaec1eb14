"""Parts of the content in other formats: sequences of play, tables, editions, differences, schemas."""
