"""A pattern that is compiled when it is first used is what `re.compile` makes of it."""

import re

import pytest

from rulewright.source.patterns import Regex


@pytest.mark.parametrize(
    ("text", "flags", "words"),
    [
        ("a+", 0, "b aa a"),
        ("A+", re.IGNORECASE, "b aa a"),
        ("^b$", re.MULTILINE, "a\nb"),
        ("(?P<one>a)|(b)", 0, "ab"),
        ("", 0, ""),
    ],
)
def test_a_late_pattern_matches_as_one_compiled_at_once(text: str, flags: int, words: str) -> None:
    late, now = Regex(text, flags), re.compile(text, flags)
    for _ in range(2):
        assert [m.span() for m in late.finditer(words)] == [m.span() for m in now.finditer(words)]
        assert late.sub("-", words) == now.sub("-", words)
    assert (late.pattern, late.flags, dict(late.groupindex)) == (now.pattern, now.flags, dict(now.groupindex))


def test_a_malformed_pattern_is_refused_when_it_is_used() -> None:
    with pytest.raises(re.error):
        Regex("(").search("x")
