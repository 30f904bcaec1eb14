"""Sources of an import: the pages of a Hugo site, of a folder of Markdown, or one document."""
