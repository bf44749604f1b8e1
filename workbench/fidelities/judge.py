"""
Verdicts: whether a schema accepts an instance, in the schema's own dialect, within a counted allowance, or not decided.

`jsonschema` decides, which shares no code with the lowering. Left to itself it could hang on a hostile schema, or fetch what
a reference names. So every keyword it looks at is counted, patterns are asked of `workbench.regexes`, which takes linear
time and does not guess, and nothing is retrieved. What that leaves open raises `Undecided`, with the reason.

`format` is not asserted (JSON Schema validation, 7.2: an annotation by default). A malformed keyword means nothing and counts as
absent, as it does when a schema is lowered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from workbench.lowering.dialects import DEFAULT_DRAFT, UNKNOWN, Dialect, dialect_of, is_well_formed, validator_class
from workbench.lowering.document import Document
from workbench.regexes import matches
from workbench.walk import Path, walk

__all__ = ["Judge", "Undecided"]

#: Keywords looked at for one verdict, and for all verdicts of one schema; each takes some microseconds.
_STEPS_PER_VERDICT: Final = 20_000
_STEPS: Final = 200_000
#: A pattern that `re` cannot take long over: no repeated group, few repeats, no back-reference.
_TAME: Final = re.compile(
    r"(?:\\[^1-9]|[^\\)*+?{]|\)(?![*+?{]))*(?:[*+?{](?:\\[^1-9]|[^\\)*+?{]|\)(?![*+?{]))*){0,3}", re.DOTALL
)
_LONGEST_NAME: Final = 200


class Undecided(Exception):
    """No verdict; says why not."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Judge:
    """
    What one schema, any JSON value, says of instances.

    Raises:
        Undecided: it is no schema, or of a dialect that is not known.
    """

    def __init__(self, schema: Any) -> None:
        if not isinstance(schema, dict | bool):
            raise Undecided("inputSchema is neither an object nor a boolean")
        self._left = _STEPS
        self._left_now = 0
        self._classes: dict[int, Any] = {}
        root = Document(schema).root
        _drop_malformed(root.schema, root.dialect)
        self._name_patterns = _name_patterns(root.schema)
        self._validator = self._validator_of(root.schema, root.dialect)

    def accepts(self, instance: Any) -> bool:
        """
        The verdict on one instance.

        Raises:
            Undecided: it hangs on a pattern that engines read differently or a remote reference, or takes too many steps.
        """
        from referencing.exceptions import Unresolvable

        self._left_now = min(self._left, _STEPS_PER_VERDICT)
        self._left -= self._left_now
        try:
            return bool(self._validator.is_valid(instance))
        except Undecided:
            raise
        except Unresolvable:
            raise Undecided("a reference leads out of the schema") from None
        except RecursionError:
            raise Undecided("the schema refers to itself without end, or nests too deeply") from None
        except BaseException as error:
            # What the draft does not allow can end in any error of the validator; its maps panic where the stack ends, and that
            # derives from BaseException, so that `except Exception` would let it end the program.
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            raise Undecided(f"the validator cannot read the schema ({type(error).__name__})") from None
        finally:
            self._left += self._left_now

    def _validator_of(self, schema: Any, dialect: Dialect, **fields: Any) -> Any:
        from referencing import Registry

        if not dialect.known:
            raise Undecided("a $schema names no published draft")
        # Draft 4 has no boolean schemas; they mean the same in all others.
        draft = DEFAULT_DRAFT if isinstance(schema, bool) else dialect.draft
        if draft not in self._classes:
            self._classes[draft] = self._guarded(validator_class(draft))
        return self._classes[draft](schema, registry=Registry(), **fields)

    def _guarded(self, plain: Any) -> Any:
        """The validator class of a draft with counted keywords and safe patterns, and which stays with its like."""
        from jsonschema.validators import extend

        keywords = plain.VALIDATORS | {name: own for name, own in _own_keywords().items() if name in plain.VALIDATORS}
        if "unevaluatedProperties" in keywords:
            keywords["unevaluatedProperties"] = _if_tame(keywords["unevaluatedProperties"], self._name_patterns)
        guarded: Any = extend(  # type: ignore[no-untyped-call]
            plain, {name: self._counted(keyword) for name, keyword in keywords.items()}
        )
        evolve = guarded.evolve

        def evolved(validator: Any, **changes: Any) -> Any:
            # At a `$schema`, jsonschema would go on with the plain class of that draft.
            schema = changes.get("schema")
            if not (isinstance(schema, dict) and "$schema" in schema):
                return evolve(validator, **changes)
            resolver = changes.get("_resolver", validator._resolver)  # noqa: SLF001 - what `evolve` itself hands on
            bare = {name: value for name, value in schema.items() if name != "$schema"}
            return self._validator_of(bare, dialect_of(schema, UNKNOWN), _resolver=resolver)

        guarded.evolve = evolved
        return guarded

    def _counted(self, keyword: Callable[..., Any]) -> Callable[..., Any]:
        def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
            self._left_now -= 1
            if self._left_now < 0:
                raise Undecided("the schema takes too many steps")
            return keyword(validator, value, instance, schema)

        return counted


def _drop_malformed(schema: Any, dialect: Dialect) -> None:
    """Takes the malformed keywords out of every schema below, each by the rules of the draft that holds there."""
    dialects: dict[Path, Dialect] = {}
    for visit in walk(schema):
        above = visit.path.parent
        while above is not None and above not in dialects:
            above = above.parent
        here = dialect_of(visit.schema, dialect if above is None else dialects[above])
        dialects[visit.path] = here
        if isinstance(visit.schema, dict):
            malformed = [name for name, value in visit.schema.items() if not is_well_formed(name, value, here.draft)]
            for name in malformed:
                # A pattern that Python cannot read may be one all the same.
                if name != "pattern" or not isinstance(visit.schema[name], str):
                    del visit.schema[name]


def _found(pattern: str, text: str) -> bool:
    found = matches(pattern, text)
    if found is None:
        raise Undecided("a pattern is one that engines read differently, or not at all")
    return found


def _own_keywords() -> dict[str, Callable[..., Iterator[Any]]]:
    """The keywords that jsonschema hands to `re`, the same in all drafts."""
    from jsonschema.exceptions import ValidationError

    def pattern(validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[Any]:
        if validator.is_type(instance, "string") and not _found(pattern, instance):
            yield ValidationError("the pattern is not found")

    def pattern_properties(validator: Any, patterns: Any, instance: Any, _schema: Any) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            for pattern, below in patterns.items():
                for name, value in instance.items():
                    if _found(pattern, name):
                        yield from validator.descend(value, below)

    def additional_properties(validator: Any, below: Any, instance: Any, schema: Any) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
            for name, value in instance.items():
                if name not in known and not any(_found(pattern, name) for pattern in patterns):
                    yield from validator.descend(value, below)

    return {
        "pattern": pattern,
        "patternProperties": pattern_properties,
        "additionalProperties": additional_properties,
    }


def _if_tame(keyword: Callable[..., Any], patterns: list[str]) -> Callable[..., Any]:
    """`unevaluatedProperties` as it is, where no pattern and no name that it tries can take long."""
    tame = all(_TAME.fullmatch(pattern) for pattern in patterns)

    def guarded(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        if patterns and isinstance(instance, dict):
            if not tame:
                raise Undecided("unevaluatedProperties beside a pattern that may take too long")
            if any(len(name) > _LONGEST_NAME for name in instance):
                raise Undecided("unevaluatedProperties beside a pattern and a very long name")
        return keyword(validator, value, instance, schema)

    return guarded


def _name_patterns(value: Any) -> list[str]:
    """The names under each `patternProperties`, wherever it stands: a reference may lead to any place."""
    found: list[str] = []
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            patterns = here.get("patternProperties")
            found += patterns if isinstance(patterns, dict) else ()
            stack += here.values()
        elif isinstance(here, list):
            stack += here
    return found
