"""Imports, which make content files of books kept in other forms.

reader       a document of any kind as HTML with places
website      a Hugo site, any folder of Markdown, or a document as an edition
outline      a sequence of play as a sequence.yml
document_lines, single_document, table_import   what these and the commands read
"""

from rulewright.files.yaml_writer import Value

Entries = dict[str, Value]
"""The keys of a content file, or of a part of one, with their values."""
