"""The build, the command line, the MkDocs plugin and the language server."""
