"""
Instances of a schema: drawn by walking it, and checked by nobody here.

A draw follows references, takes every branch of `allOf` and one of each union, and then makes a value that keeps to the keywords
it has met, with a liking for their limits. What it cannot steer by (`not`, `unevaluatedProperties`, the other branches of a
`oneOf`) it leaves to the judge: a draw proposes, and not every proposal is an instance.

Schemas are read the way the lowering reads them, in every draft, but nothing here decides a verdict. A draw is bounded in
steps and depth, so a hostile schema yields `NoSample`, not a hang.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from workbench.fidelities.texts import matching, of_length
from workbench.lowering.dialects import normal
from workbench.lowering.document import Document, Place
from workbench.regexes import matches
from workbench.values import equal, freeze

__all__ = ["NoSample", "Sampler"]

#: Schema places that one draw may look at.
_STEPS: Final = 1_500
#: Depth from which on nothing optional is drawn, and depth at which a draw gives up.
_LEAN: Final = 5
_DEEPEST: Final = 24
#: Longer arrays, strings and objects are not made.
_MOST_ITEMS: Final = 24
_LONGEST_TEXT: Final = 2_000
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_TYPES: Final = ("string", "integer", "number", "boolean", "object", "array", "null")
#: Which type a schema without one is about, by the keywords it has.
_HINTS: Final = (
    (
        "object",
        {"properties", "required", "additionalProperties", "patternProperties", "minProperties", "propertyNames"},
    ),
    ("array", {"items", "prefixItems", "minItems", "contains", "uniqueItems"}),
    ("string", {"pattern", "minLength", "maxLength", "format"}),
    ("number", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
)


class NoSample(Exception):
    """This draw came to nothing; says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class _Needs:
    """The schema objects that one value has to meet together, and what was decided on the way about its members."""

    parts: list[tuple[Place, dict[str, Any]]] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    unwanted: set[str] = field(default_factory=set)

    def all(self, keyword: str) -> list[Any]:
        """The values of a keyword, in all parts that have it."""
        return [keywords[keyword] for _, keywords in self.parts if keyword in keywords]

    def least(self, keyword: str) -> int:
        """The greatest of some lower limits."""
        return int(max(self.all(keyword), default=0))

    def most(self, keyword: str) -> int | None:
        """The smallest of some upper limits, None without any."""
        limits = self.all(keyword)
        return int(min(limits)) if limits else None


class Sampler:
    """Draws objects from one schema; the same `random` gives the same objects."""

    def __init__(self, schema: Any, random: Random) -> None:
        self._document = Document(schema)
        self._random = random
        self._keywords: dict[Place, dict[str, Any]] = {}
        self._left = 0

    def draw(self) -> dict[str, Any]:
        """
        An object that the schema may accept.

        Raises:
            NoSample: the schema asks for too much, or for what no object can be.
        """
        self._left = _STEPS
        try:
            needs = self._gather([self._document.root])
            listed = self._listed(needs)
            objects = [value for value in listed or () if isinstance(value, dict)]
            if "object" not in self._types(needs) or (listed is not None and not objects):
                raise NoSample("the schema is not about objects")
            return self._random.choice(objects) if objects else self._object(needs, 0)
        except RecursionError:
            raise NoSample("the schema nests too deeply") from None
        except OverflowError:
            raise NoSample("the limits of a number are too far out") from None

    # What has to be met

    def _gather(self, places: Sequence[Place]) -> _Needs:
        needs = _Needs()
        queue, seen = list(reversed(places)), set()
        while queue:
            place = queue.pop()
            if place in seen or place.schema is True:
                continue
            seen.add(place)
            self._left -= 1
            if self._left < 0:
                raise NoSample("an instance would need too many steps")
            if place.schema is False:
                raise NoSample("nothing is allowed at some required place")
            keywords = self._normal(place)
            needs.parts.append((place, keywords))
            for reference in _REFERENCES:
                target = self._document.target(place, reference) if reference in keywords else None
                queue += [target] if target is not None else []
            queue += reversed(list(self._applied(place, keywords, needs)))
        return needs

    def _applied(self, place: Place, keywords: dict[str, Any], needs: _Needs) -> Iterator[Place]:
        """The schemas that apply to the same value: all of `allOf`, one of each union, one way through a condition."""
        child, random = self._document.child, self._random
        for number, below in enumerate(keywords.get("allOf", ())):
            yield child(place, below, "allOf", number)
        for union in ("anyOf", "oneOf"):
            branches = [number for number, below in enumerate(keywords.get(union, ())) if below is not False]
            if branches:
                number = random.choice(branches)
                yield child(place, keywords[union][number], union, number)
        if "if" in keywords:
            way = ("if", "then") if random.random() < 0.5 else ("else",)
            yield from (child(place, keywords[name], name) for name in way if name in keywords)
        for name, below in keywords.get("dependentSchemas", {}).items():
            if random.random() < 0.5:
                needs.wanted.append(name)
                yield child(place, below, "dependentSchemas", name)
            else:
                needs.unwanted.add(name)

    def _normal(self, place: Place) -> dict[str, Any]:
        if place not in self._keywords:
            schema: Any = place.schema
            self._keywords[place] = normal(schema, place.dialect).keywords
        return self._keywords[place]

    # Values

    def _value(self, places: Sequence[Place], depth: int) -> Any:
        if depth > _DEEPEST:
            raise NoSample("an instance would nest too deeply")
        needs = self._gather(places)
        listed = self._listed(needs)
        if listed is not None:
            return self._random.choice(listed)
        match self._type(needs):
            case "object":
                return self._object(needs, depth)
            case "array":
                return self._array(needs, depth)
            case "string":
                return self._string(needs)
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
            case kind:
                return self._number(needs, kind == "integer")

    def _listed(self, needs: _Needs) -> list[Any] | None:
        """The values that every `enum` and `const` lists, or None where there is neither."""
        lists = [*needs.all("enum"), *([value] for value in needs.all("const"))]
        if not lists:
            return None
        known = [{freeze(value) for value in values} for values in lists[1:]]
        shared = [value for value in lists[0] if all(freeze(value) in values for values in known)]
        fitting = [value for value in shared if _is_of(value, self._types(needs))]
        if not fitting:
            raise NoSample("values are listed that cannot be met together")
        return fitting

    def _types(self, needs: _Needs) -> list[str]:
        allowed = list(_TYPES)
        for named in needs.all("type"):
            names = set(named if isinstance(named, list) else [named])
            names |= {"integer"} if "number" in names else set()
            allowed = [name for name in allowed if name in names]
        return allowed

    def _type(self, needs: _Needs) -> str:
        allowed = self._types(needs)
        if not allowed:
            raise NoSample("types are asked for that cannot be met together")
        present = {name for _, keywords in needs.parts for name in keywords}
        hinted = [name for name, keywords in _HINTS if name in allowed and keywords & present]
        return self._random.choice(hinted if hinted and self._random.random() < 0.85 else allowed)

    def _string(self, needs: _Needs) -> str:
        low, high, patterns = needs.least("minLength"), needs.most("maxLength"), needs.all("pattern")
        if low > _LONGEST_TEXT:
            raise NoSample(f"a string of more than {_LONGEST_TEXT:,} characters is asked for")
        if not patterns:
            return of_length(self._random, low, high)
        text = matching(self._random, self._random.choice(patterns), low, high)
        if text is None and self._random.random() < 0.5:
            raise NoSample("no text was found for a pattern")
        # A text that probably does not fit, so that the judge is asked about the pattern at all.
        return of_length(self._random, low, high) if text is None else text

    def _number(self, needs: _Needs, whole: bool) -> int | float:
        low = max((*needs.all("minimum"), *(v + _step(v, whole) for v in needs.all("exclusiveMinimum"))), default=None)
        high = min((*needs.all("maximum"), *(v - _step(v, whole) for v in needs.all("exclusiveMaximum"))), default=None)
        base = low if low is not None else high - 100 if high is not None else 0
        top = high if high is not None else base + 100
        unit = max(needs.all("multipleOf"), default=1 if whole or self._random.random() < 0.5 else 0.25)
        first, last = math.ceil(base / unit), math.floor(top / unit)
        if last < first:
            raise NoSample("no number lies between the limits")
        times = self._random.choice((first, last, min(first + 1, last), self._random.randint(first, last)))
        value = times * unit
        return int(value) if whole or (isinstance(value, float) and value.is_integer()) else value

    def _array(self, needs: _Needs, depth: int) -> list[Any]:
        low, high = needs.least("minItems"), needs.most("maxItems")
        contained = [
            self._document.child(place, keywords["contains"], "contains")
            for place, keywords in needs.parts
            if "contains" in keywords
        ]
        counts = [keywords.get("minContains", 1) for _, keywords in needs.parts if "contains" in keywords]
        extra = [
            place for place, count in zip(contained, counts, strict=True) for _ in range(min(int(count), _MOST_ITEMS))
        ]
        top = max(low, len(extra), 0 if depth >= _LEAN else 3)
        size = self._random.randint(max(low, len(extra)), min(top, high) if high is not None and high >= low else top)
        if size > _MOST_ITEMS:
            raise NoSample(f"an array of more than {_MOST_ITEMS} items is asked for")
        items: list[Any] = []
        for index in range(size):
            places = [*self._item_places(needs, index), *extra[index : index + 1]]
            item = self._value(places, depth + 1)
            if any(needs.all("uniqueItems")) and any(equal(item, each) for each in items):
                item = self._value(places, depth + 1)
            items.append(item)
        return items

    def _item_places(self, needs: _Needs, index: int) -> Iterator[Place]:
        for place, keywords in needs.parts:
            prefix = keywords.get("prefixItems", ())
            if index < len(prefix):
                yield self._document.child(place, prefix[index], "prefixItems", index)
            elif "items" in keywords:
                yield self._document.child(place, keywords["items"], "items")

    # Objects

    def _object(self, needs: _Needs, depth: int) -> dict[str, Any]:
        needed = self._needed(needs)
        optional = [name for names in needs.all("properties") for name in names]
        optional = [name for name in dict.fromkeys(optional) if name not in needed and name not in needs.unwanted]
        random = self._random
        chance = 0.0 if depth >= _LEAN else min(random.choice((0.15, 0.5, 0.9)), 12 / (len(optional) + 1))
        chosen = [name for name in optional if random.random() < chance]
        spare = needs.most("maxProperties")
        if spare is not None:
            chosen = chosen[: max(0, spare - len(needed))]
        missing = needs.least("minProperties") - len(needed) - len(chosen)
        rest = [name for name in optional if name not in chosen]
        chosen += rest[: max(0, missing)]
        chosen += self._new_names(needs, missing - len(rest), set(needed) | set(optional), depth)
        value: dict[str, Any] = {}
        for name in (*needed, *chosen):
            try:
                value[name] = self._value(list(self._member_places(needs, name)), depth + 1)
            except NoSample:
                if name in needed or self._left < 0:
                    raise
        return value

    def _needed(self, needs: _Needs) -> list[str]:
        """The required names, with those that they require in turn (`dependentRequired`)."""
        needed = dict.fromkeys([*needs.wanted, *(name for names in needs.all("required") for name in names)])
        queue = list(needed)
        while queue:
            name = queue.pop()
            fresh = [
                each for names in needs.all("dependentRequired") for each in names.get(name, ()) if each not in needed
            ]
            needed |= dict.fromkeys(fresh)
            queue += fresh
        if len(needed) > 40 * _MOST_ITEMS:
            raise NoSample("too many names are required")
        return list(needed)

    def _member_places(self, needs: _Needs, name: str) -> Iterator[Place]:
        """The schemas that a member with this name has to meet (core, 10.3.2)."""
        child = self._document.child
        for place, keywords in needs.parts:
            known = False
            if name in keywords.get("properties", {}):
                known = True
                yield child(place, keywords["properties"][name], "properties", name)
            for pattern, below in keywords.get("patternProperties", {}).items():
                if matches(pattern, name):
                    known = True
                    yield child(place, below, "patternProperties", pattern)
            if not known and "additionalProperties" in keywords:
                yield child(place, keywords["additionalProperties"], "additionalProperties")

    def _new_names(self, needs: _Needs, missing: int, taken: set[str], depth: int) -> list[str]:
        """Names that no `properties` lists: as many as are missing, and now and then one more, where that may be."""
        random = self._random
        patterns = [pattern for each in needs.all("patternProperties") for pattern in each]
        closed = any(
            value is False for name in ("additionalProperties", "unevaluatedProperties") for value in needs.all(name)
        )
        typed = any(isinstance(value, dict) for value in needs.all("additionalProperties"))
        if closed and not patterns:
            return []
        likely = 0.7 if typed or patterns else 0.15
        more = 0 if depth >= _LEAN or random.random() > likely else random.randint(1, 2)
        names = [self._new_name(needs, patterns, closed) for _ in range(min(max(missing, more), _MOST_ITEMS))]
        return [name for name in dict.fromkeys(names) if name is not None and name not in taken | needs.unwanted]

    def _new_name(self, needs: _Needs, patterns: Sequence[str], closed: bool) -> str | None:
        if patterns and (closed or self._random.random() < 0.6):
            return matching(self._random, self._random.choice(patterns))
        rules = [
            self._document.child(place, keywords["propertyNames"], "propertyNames")
            for place, keywords in needs.parts
            if "propertyNames" in keywords
        ]
        if not rules:
            return f"extra{self._random.randint(1, 99)}"
        name = self._value(rules, _LEAN)
        return name if isinstance(name, str) else None


def _step(value: float, whole: bool) -> float:
    """How far to go from an exclusive limit."""
    return 1 if whole or isinstance(value, int) else 0.25


def _is_of(value: Any, types: Sequence[str]) -> bool:
    """Whether a value is of one of some types (validation, 6.1.1)."""
    if isinstance(value, bool):
        return "boolean" in types
    if isinstance(value, int | float):
        return "number" in types or ("integer" in types and value == int(value))
    kinds = {str: "string", list: "array", dict: "object", type(None): "null"}
    return kinds[type(value)] in types
