"""Numbers of siblings, and of items whose rule has another number now."""

from __future__ import annotations

from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber


def are_siblings(number: RuleNumber, other: RuleNumber) -> bool:
    """Return whether two numbers have the same example and depth, so that they may be siblings."""
    return number.shape == other.shape and len(number.labels) == len(other.labels)


def rebase_number(
    dialect: NumberingScheme, place: RuleNumber, number: RuleNumber, depth: int
) -> RuleNumber | None:
    """Return `number` with its first `depth` labels replaced by those of `place`.

    The other labels stay if an example of the book has them so: 15.2(A) becomes 15.3(A). Otherwise they are
    counted in the labels of that level: 12.5c becomes 12.6d(C).
    """
    old_parts, inner = dialect.parts_of(number.labels, number.shape)[depth:], number.labels[depth:]
    for shape in dict.fromkeys((number.shape, place.shape, *dialect.equivalents)):
        labels = [*place.labels, *inner]
        new_parts = dialect.parts_of(labels, shape)[len(place.labels) :]
        if [part.plain for part in new_parts] == [part.plain for part in old_parts]:
            rebased = _as_read(dialect, dialect.number(labels, shape))
            above = dialect.number(place.labels, shape) if len(place.labels) > 1 else place
            if rebased and _as_read(dialect, above) == place:
                return rebased
    labels = [*place.labels]
    for old, label, ordinal in zip(old_parts, inner, number.ordinals[depth:], strict=True):
        used = dialect.parts_of(labels, place.shape)
        parts = dialect.parts_of([*labels, label], place.shape)[len(labels) :]
        parts = parts or [part for part in dialect.shapes[place.shape] if part not in used][:1]
        sort = parts[0].sort if parts else None
        if sort is None or (ordinal == 0 and (sort.padded or not sort.digits)):
            return None
        labels.append(label if sort is old.sort else sort.label(ordinal))
    return dialect.number(labels, place.shape)


def _as_read(dialect: NumberingScheme, number: RuleNumber | None) -> RuleNumber | None:
    """Return the number if its key parses to the same labels, else None."""
    read = dialect.parse_number(number.key) if number else None
    return read if read and number and read.labels == number.labels else None
