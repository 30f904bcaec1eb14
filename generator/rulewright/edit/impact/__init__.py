"""Impact of an edit: comparison of the content at a revision with the current content.

    content_snapshot  checked content with its generated site, and the edits between two snapshots
    review_list       texts to review, and affected errata and questions
    print_impact      sheets whose print changes, and whether they still fit
    impact_analysis   all effects of an edit, including lost addresses
    impact_report     the report as text, Markdown and JSON

The same program generates both snapshots, so every difference comes from the content.
"""
