"""Import an edition from a website: a Hugo site, or any folder of Markdown.

    site      the folder read: files, front matter, settings, addresses, pages in order
    pages     each page of Markdown or HTML as blocks: headings, paragraphs, lists, tables, asides
    rules     the numbered rules in these blocks, as one tree
    prose     words with references, emphasis and pictures; the links between pages, judged
    sequence  the sequence of play, from a nested list
    content   the files of the edition: chapters, tables, glossary, plain pages, old addresses
    receipt   the report of what became of every word and link

`site_import` runs them in this order, each of which imports only from those above it; `conflicts` sets aside
what no longer agrees with an imported edition.
"""
