"""Columns of any table as numbers: words as places among their texts, dates as days, gaps as NaN.

Frames are known by what they can do, so that none of their libraries is needed.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

# Numbers of Arrow, by how their types begin.
ARROW_NUMBERS = ("int", "uint", "float", "double", "halffloat")


class Column(NamedTuple):
    """A column as the compiled half takes it."""

    # A number or NaN for each row.
    cells: np.ndarray
    # The different texts of a column of words; its cells are places among these.
    texts: list[str] | None = None
    is_date: bool = False


class Table(NamedTuple):
    """A table as the compiled half takes it."""

    rows: np.ndarray
    # Columns of words by place, with their texts.
    words: list[tuple[int, list[str]]]
    # Columns of dates by place.
    dates: list[int]


def table(columns: list[Any], words: Iterable[bool | None]) -> Table:
    """Of columns, and whether each holds words (None: as its type says)."""
    read = [column(one, is_words) for one, is_words in zip(columns, words)]
    rows = np.empty((len(read[0].cells) if read else 0, len(read)), order="F")
    for at, one in enumerate(read):
        rows[:, at] = one.cells
    texts = [(at, one.texts) for at, one in enumerate(read) if one.texts is not None]
    return Table(rows, texts, [at for at, one in enumerate(read) if one.is_date])


def columns_of(X: Any) -> list[Any] | None:
    """The columns of a frame, or of an array that is not one of numbers; None: it is."""
    if hasattr(X, "iloc"):
        return [X.iloc[:, at] for at in range(X.shape[1])] if len(X.shape) == 2 else None
    if hasattr(X, "get_columns"):
        return list(X.get_columns())
    if hasattr(X, "column_names") and isinstance(getattr(X, "columns", None), list):
        return X.columns
    if isinstance(X, (list, tuple)):
        try:
            X = np.asarray(X)
        except ValueError:  # rows of different lengths: scikit-learn says it better
            return None
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OU":
        return list(X.T)
    return None


def is_plain(one: Any) -> bool:
    """Whether a column of a frame holds nothing but numbers, by its type."""
    if hasattr(one, "iloc"):
        return not hasattr(one.dtype, "categories") and getattr(one.dtype, "kind", "O") in "iuf"
    numeric = getattr(getattr(one, "dtype", None), "is_numeric", None)
    return bool(numeric is not None and numeric())


def numbers(X: np.ndarray) -> list[Any]:
    """The columns of an array of numbers."""
    if hasattr(X, "toarray"):
        raise ValueError(
            "a sparse matrix holds numbers; give words (categorical_features) in a dense table."
        )
    return list(X.T)


def column(one: Any, words: bool | None) -> Column:
    """A column of a frame or an array."""
    coded = _categories(one)
    if coded is None and type(getattr(one, "dtype", None)).__name__ == "StringDtype":
        coded = one.factorize()  # strings of pandas
    if coded is not None and words is not False:
        codes, values = coded
        codes = np.asarray(codes, dtype=np.float64)
        return Column(np.where(codes < 0, np.nan, codes), [str(value) for value in values])
    values = _values(one)
    kind: str = values.dtype.kind
    if kind == "O":
        values, kind = _settled(values)
    elif kind == "U" and not words:
        try:
            return Column(values.astype(np.float64))
        except ValueError:
            pass
    if words or (words is None and kind in "bU"):
        return _words(values, kind)
    if kind in "Mm":
        return Column(_days(values), is_date=kind == "M")
    return Column(values.astype(np.float64))


def _categories(one: Any) -> tuple[Any, Any] | None:
    """Codes (below 0 or NaN: a gap) and values of a column of categories."""
    if hasattr(one, "iloc"):
        return (one.cat.codes, one.cat.categories) if hasattr(one.dtype, "categories") else None
    if hasattr(one, "to_physical"):
        if type(one.dtype).__name__ not in ("Categorical", "Enum"):
            return None
        different = one.drop_nulls().unique()
        keys = different.to_physical().to_numpy()
        order = np.argsort(keys)
        codes = np.full(len(one), -1)
        there = one.is_not_null().to_numpy()
        codes[there] = np.searchsorted(keys[order], one.drop_nulls().to_physical().to_numpy())
        values = different.to_list()
        return codes, [values[at] for at in order]
    if str(getattr(one, "type", "")).startswith("dictionary"):
        if hasattr(one, "unify_dictionaries"):
            one = one.unify_dictionaries().combine_chunks()
        # One of no chunks stays a list of chunks in some versions.
        one = one.chunk(0) if hasattr(one, "chunk") else one
        codes = one.indices.to_numpy(zero_copy_only=False)
        return np.nan_to_num(codes.astype(np.float64), nan=-1.0), one.dictionary.to_pylist()
    return None


def _values(one: Any) -> np.ndarray:
    """The cells as an array; gaps are NaN, NaT, None or what pandas has for them."""
    if isinstance(one, np.ndarray):
        return one
    if hasattr(one, "iloc"):
        if is_plain(one):
            array: np.ndarray = one.to_numpy(dtype=np.float64, na_value=np.nan)
            return array
        kind = getattr(one.dtype, "kind", "O")
        if kind == "M":
            # With a time zone, the moment counts.
            zone = getattr(one.dtype, "tz", None)
            return np.asarray(one.dt.tz_convert(None) if zone is not None else one, "datetime64")
        return np.asarray(one) if kind in "bm" else np.asarray(one, dtype=object)
    return np.asarray(
        one.to_numpy(zero_copy_only=False) if hasattr(one, "type") else one.to_numpy()
    )


def _is_gap(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, np.datetime64)) and bool(value != value)


def _settled(values: np.ndarray) -> tuple[np.ndarray, str]:
    """What objects are: text (U), truth values (b), dates (M) or numbers (f); gaps are None."""
    gap = np.fromiter(map(_is_gap, values), dtype=bool, count=len(values))
    kinds = set(map(type, values[~gap]))
    values = values.copy()
    values[gap] = None

    def all_are(*wanted: type) -> bool:
        return bool(kinds) and all(issubclass(kind, wanted) for kind in kinds)

    if any(issubclass(kind, str) for kind in kinds):
        return values, "U"
    if all_are(bool, np.bool_):
        return values, "b"
    if all_are(datetime.date, np.datetime64):
        moments = [np.datetime64("NaT") if g else _moment(v) for v, g in zip(values, gap)]
        return np.array(moments, dtype="datetime64[us]"), "M"
    out = np.full(len(values), np.nan)
    out[~gap] = values[~gap].astype(np.float64)
    return out, "f"


def _moment(value: Any) -> np.datetime64:
    if getattr(value, "tzinfo", None) is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return np.datetime64(value, "us")


def _words(values: np.ndarray, kind: str) -> Column:
    """Any values as words."""
    spelt: Callable[[Any], str] = str
    gap = np.fromiter(map(_is_gap, values), dtype=bool, count=len(values))
    cells = np.full(len(values), np.nan)
    if kind in "iuf":
        spelt = _shortest
    known = values[~gap]
    if known.dtype.kind != "O":
        different, codes = np.unique(known, return_inverse=True)
        cells[~gap] = codes
        return Column(cells, [spelt(value) for value in different.tolist()])
    places: dict[str, int] = {}
    cells[~gap] = [places.setdefault(spelt(value), len(places)) for value in known]
    return Column(cells, list(places))


def _shortest(value: float) -> str:
    """A number as the program writes it."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)


def _days(values: np.ndarray) -> np.ndarray:
    """Moments as days since 1970, durations as days."""
    if values.dtype.kind == "m":
        return values / np.timedelta64(1, "D")
    whole = values.astype("datetime64[D]")
    share = ((values - whole) / np.timedelta64(1, "s")) / 86_400.0
    days = whole.astype(np.int64).astype(np.float64) + share
    return np.where(np.isnat(values), np.nan, days)


def categorical(features: Any, names: list[str] | None, count: int) -> list[bool | None]:
    """Whether each column holds words; None: as its type says."""
    if isinstance(features, str):
        if features != "from_dtype":
            raise ValueError(
                f"categorical_features={features!r}: it must be 'from_dtype', None, or a list of "
                "columns."
            )
        return [None] * count
    if features is None:
        return [False] * count
    listed = np.atleast_1d(np.asarray(features))
    if listed.ndim != 1 or listed.dtype.kind not in "biuUO":
        raise ValueError("categorical_features must list names, positions, or a truth value each.")
    if listed.dtype.kind == "b":
        if len(listed) != count:
            raise ValueError(
                f"categorical_features has {len(listed)} truth values for {count} columns."
            )
        return [bool(value) for value in listed]
    chosen = {_place(one, names, count, "categorical_features") for one in listed.tolist()}
    return [at in chosen for at in range(count)]


def groups(given: Any, names: list[str] | None, count: int) -> list[str] | None:
    """The name of the feature that each column belongs to; None: each is one."""
    if given is None:
        return None
    own = names or [f"x{at + 1}" for at in range(count)]
    found: list[str | None] = [None] * count
    if isinstance(given, dict):
        for one, group in given.items():
            found[_place(one, names, count, "feature_groups")] = str(group)
    else:
        listed = list(given)
        if isinstance(given, str) or len(listed) != count:
            raise ValueError(
                f"feature_groups must be a dictionary from columns to groups, or a list of {count}, "
                "one for each column."
            )
        found = [None if _is_gap(group) else str(group) for group in listed]
    for name, group in zip(own, found):
        if group is None and name in found:
            raise ValueError(
                f"feature_groups: the group {name!r} has the name of a column that is not in it."
            )
    return [name if group is None else group for name, group in zip(own, found)]


def _place(one: Any, names: list[str] | None, count: int, parameter: str) -> int:
    if isinstance(one, str):
        if names is None:
            raise ValueError(f"{parameter}: {one!r} is a name, but the columns have none.")
        if one not in names:
            raise ValueError(f"{parameter}: there is no column {one!r}.")
        return names.index(one)
    if not isinstance(one, (int, np.integer)) or not -count <= one < count:
        raise ValueError(f"{parameter}: {one!r} is no column of {count}.")
    return int(one) % count
