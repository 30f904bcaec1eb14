"""Import an edition from a website: a Hugo site, or any folder of Markdown.

    files, site, hugo_site          the folder read: pages in order, their addresses, what links lead to
    blocks, page_tokens, page_blocks   each page as blocks: headings, paragraphs, lists, tables, asides
    rule_tree, page_rules, book_rules  the numbered rules in them, as one tree
    links, page_prose               words with references, emphasis and pictures; links, judged
    step_lists, chapters, plain_pages  the files of the edition
    receipt                         what became of every word and link

`site_import` runs them, and finds the place of the edition in a project.
"""
