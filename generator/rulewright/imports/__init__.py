"""Imports: sites and documents become the content of an edition, and every word is accounted for.

sources     Hugo sites, folders of Markdown: pages, addresses, files
reading     each format is read into blocks
pipeline    blocks, labels, tree, links, files, account
sequence    a sequence of play from lists and text
"""

from rulewright.files.yaml_writer import Value

Entries = dict[str, Value]
"""The keys of a content file that is written."""
