"""Batch scoring of Arrow record batches, one function for every engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from ._model_file import load_model
from ._table import table

if TYPE_CHECKING:
    import pyarrow


@lru_cache(maxsize=8)
def _model(path: str) -> Any:
    # Once for each process, however many batches there are.
    return load_model(path)


def score_batches(
    batches: Iterable[pyarrow.RecordBatch],
    model: str | PathLike[str] | Any,
    *,
    keep: Iterable[str] = (),
) -> Iterator[pyarrow.RecordBatch]:
    """Predictions for record batches, one batch at a time.

    Made for Spark's ``mapInArrow`` and Dask's ``map_partitions``; works on any iterable of batches.
    Columns are found by name, and only those that the model needs are looked at.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch
        Rows with the features of the model as columns.
    model : str, PathLike or fitted classifier
        A model file, which is read once in each process, or a classifier.
    keep : iterable of str, default=()
        Columns to hand through, such as a key.

    Yields
    ------
    pyarrow.RecordBatch
        Those columns, then ``label`` (text), ``probability`` (of the second class) and ``decision`` (f);
        with more than two classes ``label`` and ``probability_`` followed by the name of each class.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from sklearn.datasets import load_breast_cancer
    >>> from pfcvm import PFCVMClassifier, score_batches
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> clf = PFCVMClassifier("linear").fit(X, y)
    >>> batches = pa.Table.from_pandas(X).to_batches(max_chunksize=100)
    >>> scored = pa.Table.from_batches(score_batches(batches, clf))
    >>> scored.num_rows, scored.column_names
    (569, ['label', 'probability', 'decision'])
    """
    import pyarrow as pa

    classifier = _model(str(model)) if isinstance(model, (str, PathLike)) else model
    names = getattr(classifier, "feature_names_in_", None)
    if names is None:
        raise ValueError("the model knows no names of features; fit it on a data frame.")
    needed = names[classifier._needed_columns]
    are_words = [int(at) in classifier._word_columns for at in classifier._needed_columns]
    labels = np.asarray([str(label) for label in classifier.classes_.tolist()], dtype=object)
    keep = list(keep)
    for batch in batches:
        missing = [str(name) for name in needed if name not in batch.schema.names]
        if missing:
            raise ValueError(f"the batch has no column {missing[0]!r}, which the model needs.")
        X, words, _ = table([batch.column(name) for name in needed], are_words)
        X = X if len(needed) else np.empty((batch.num_rows, 0))
        if np.isinf(X).any():
            row, at = np.argwhere(np.isinf(X))[0]
            raise ValueError(
                f"row {row} of a batch holds an infinite number in column {str(needed[at])!r}."
            )
        columns = {name: batch.column(name) for name in keep}
        (codes, p, decision, _), unseen = classifier._fitted.predict(X, words)
        classifier._tell_unseen(dict(zip((at for at, _ in words), unseen)))
        columns["label"] = pa.array(labels[codes], pa.string())
        if len(labels) == 2:
            columns["probability"] = pa.array(p[:, 1], pa.float64())
            columns["decision"] = pa.array(decision[:, 0], pa.float64())
        else:
            for label, of_class in zip(labels, p.T):
                columns[f"probability_{label}"] = pa.array(of_class, pa.float64())
        yield pa.RecordBatch.from_pydict(columns)
