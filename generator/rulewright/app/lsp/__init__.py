"""Language server: problems, completion, hover, definitions and new names in an editor.

    buffers ──load──► project ──check──► problems
                         └─────read────► NameSpans ──► hover, definition, references, colours, rename

A request asks two functions: `schema.position.at`, for the keys and values that can be written at a position,
and `NameSpans.at`, for what a number or name leads to. Answers come from the last content that could be read;
its offsets are shifted by later edits. One thread loads, checks, reads and computes edits, with one
memo.
"""
