"""Marked content: what stands in an artifact and what belongs to an element of the structure."""

from __future__ import annotations

from pikepdf import Dictionary, Name

from rulewright.print.preflight.paint import Tag


class Tags:
    """The marked content that is open. What an annotation or a pattern paints has no need of any."""

    def __init__(self, *, annotation: bool = False) -> None:
        self.stack: list[Tag] = []
        self.outside = Tag(artifact=annotation)

    @property
    def now(self) -> Tag:
        return self.stack[-1] if self.stack else self.outside

    @property
    def depth(self) -> int:
        return len(self.stack)

    def open(self, name: object, properties: object) -> int | None:
        """Open a sequence; the id of its content where it has one."""
        now = self.now
        found = properties.get("/MCID") if isinstance(properties, Dictionary) else None
        content = int(found) if isinstance(found, int) else None
        artifact = name == Name.Artifact
        nested = (artifact and now.content is not None) or (content is not None and now.artifact)
        inherited = now.content if content is None else content
        inner = artifact if nested else now.inner_artifact
        self.stack.append(Tag(now.artifact or artifact, inherited, now.nested or nested, inner))
        return content

    def close(self, given: object = None) -> None:
        if self.stack:
            self.stack.pop()

    def back_to(self, depth: int) -> None:
        """Close what a stream has left open."""
        del self.stack[depth:]
