"""A page of Markdown as blocks with their places."""
