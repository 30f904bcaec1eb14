"""Language server: problems, completion, hover, definitions and renumbering in an editor.

    buffers ──load──► project ──check──► problems
                         └─────read────► IndexedContent ──► completion, hover, definitions, tokens, rename

Problems are those that `check` reports for the texts in the editor. Answers come from the last content that
could be read; its positions are shifted by the edits made since. One thread loads, checks, reads and computes
edits, with one memo.
"""
