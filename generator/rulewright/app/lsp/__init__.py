"""The language server: what the check, the books and the edits know, told to an editor while someone types.

    buffers ──► Workbench ──check──► problems
                    └──────read───► Reading ──► completion, hover, places, marks, renaming

Nothing is judged here. Problems are those of `check` for the texts as they stand in the editor, and answers
come from the content as it could be read last, with places moved along with what was typed since.
"""
