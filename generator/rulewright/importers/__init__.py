"""Importers, which make content files of books kept in other forms.

website  a Hugo site, or any folder of Markdown, as an edition
outline  a sequence of play in plain text, as a sequence.yml
"""
