"""Books kept in other forms made into content: Hugo, Markdown, plain text."""
