"""The line from content to site, the MkDocs plugin and the command line."""
