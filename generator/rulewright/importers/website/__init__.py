"""Import an edition from a website: a Hugo site, or any folder of Markdown.

    site, files, hugo, markdown_folder  the folder read: pages in order, their addresses, what links lead to
    blocks, shortcodes, reader          each page as blocks: headings, paragraphs, lists, tables, asides
    labels, rule_tree, page_rules, book_rules, book_numbering   the numbered rules in them, as one tree
    links, prose                        words with references, emphasis and pictures; links, judged
    steps, tables, chapters, glossary, plain_pages              the files of the edition
    receipt, word_accounts, report      what became of every word and link

`site_import` runs them; `home` is the place of the edition in a project.
"""
