"""Say what is wrong in the books, all at once, with file, line and column.

Ends with 1 where there is an error or a warning.

example:
  rulewright check ocs/4.3 --format github
"""

from __future__ import annotations

import sys
from pathlib import Path

from rulewright.app.registry import address, command, flag, formats, has_colour, remark
from rulewright.model.reports import FORMATS, counted, several, text


@command
@address(help="ocs/4.3 for an edition, ocs for a book; else everything", required=False)
@flag("--excused", help="list the problems that are excused too, with the reasons")
@flag("--fix", help="write the numbers of rules that have moved where they are cited")
@formats(FORMATS)
def run(project: Path, book: str | None, excused: bool, fix: bool, form: str) -> int:
    from rulewright.checks.check import check
    from rulewright.checks.checked import failing
    from rulewright.source.folder import gather
    from rulewright.source.store import of_project

    if fix:
        from rulewright.edit.reference_fixes import mend_project

        for line in mend_project(project, book or "").told():
            remark(line)
    checked = check(gather(project), of_project("examined", project))
    checked = checked.of(book) if book else checked
    if book and book not in checked.addresses and not checked.problems_in(f"content/{book}/"):
        raise checked.no_book(book)
    if form == "text":
        listed = checked.excused if excused else ()
        sys.stdout.write(text(checked.problems, listed, colour=has_colour(sys.stdout)))
    else:
        if form == "sarif":  # which lists every kind of problem, so all that declares one is imported
            import rulewright.checks.examine  # noqa: F401
        sys.stdout.write(FORMATS[form](checked.problems, checked.excused))
    sys.stdout.flush()  # ahead of the summary, where both go to one terminal
    found = counted(checked.problems, checked.excused)
    remark(f"Checked {book or 'everything'}: {checked.counted(book or '')}. {found[0].upper()}{found[1:]}.")
    if new := checked.new:
        them = "them" if new > 1 else "it"
        remark(f"{several(new, 'new reference')}: `rulewright accept` enters {them} in references.lock.")
    return 1 if failing(checked.problems) else 0
