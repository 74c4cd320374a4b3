"""What the method itself and panels have in common."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from ._base import Classifier, NothingFoundWarning, Probabilities, Selecting
from ._input import blocks, dense, labels, new_data
from ._machines import TwoClassMachine, certain, column, shaped
from ._pfcvm import Engine


class EngineClassifier(Selecting, Probabilities, Classifier):
    """What `PFCVMClassifier` and `PFCVMPanelClassifier` have in common."""

    # What has learned, and parameters of both.
    _fitted: Engine
    parallel: bool
    verbose: bool

    def _way(self, memory_limit: int | None = None) -> tuple[int | None, bool, bool, int | None]:
        """How to do a fit, beside its settings."""
        kept = getattr(self, "keep_rows", None)
        kept = None if kept is None else int(kept)
        if kept is not None and kept < 10:
            raise ValueError(f"keep_rows={kept}: it must be at least 10.")
        return memory_limit, bool(self.parallel), bool(self.verbose), kept

    def novelty(self, X: Any) -> np.ndarray | None:
        """How far samples are from those that the model remembers.

        The distance to the nearest remembered sample, in the metric of the kernel and the selected
        features alone, divided by the distance within which 99 of 100 training samples have one. Above 1 a
        sample looks like none that was learned from; take what is predicted for it with care.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,) or None
            None where this cannot be told: by panels, by models that found nothing, and by model files of
            older versions.
        """
        check_is_fitted(self)
        rows, words = new_data(self, X, self._support(), self._needed_columns, self._word_columns)
        parts = [self._fitted.novelty(block, words) for block in blocks(rows)]
        known = [part for part in parts if part is not None]
        return np.concatenate(known) if len(known) == len(parts) else None

    def suggest(
        self, X: Any, count: int = 10, *, return_gain: bool = False
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """Which samples without a label to label next.

        They are drawn, with chances that go along with how uncertain their class is, (1 - sum of p squared)
        cubed. Of a model that found nothing every sample has the same chance.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Samples without labels.
        count : int, default=10
            How many to suggest.
        return_gain : bool, default=False
            Whether to return what each is worth as well.

        Returns
        -------
        rows : ndarray of int
            Rows of ``X``.
        gain : ndarray of float
            The share of what is not known of all samples that each label is expected to take; only with
            ``return_gain``.
        """
        check_is_fitted(self)
        if count < 1:
            raise ValueError(f"count={count}: it must be at least 1.")
        rows, words = new_data(self, X, self._support(), self._needed_columns, self._word_columns)
        found = self._fitted.suggest(dense(rows), words, int(count))
        picked = np.array([row for row, _ in found], dtype=np.intp)
        return (picked, np.array([gain for _, gain in found])) if return_gain else picked

    def _describe(self, about: dict[str, Any]) -> None:
        super()._describe(about)
        self.settings_ = about["settings"]
        self.nothing_found_: bool | None = about["nothing_found"]
        features = about["selected_features"]
        by_index = {one["index"]: one for one in features}
        listed = [by_index[index] for index in self.selected_features_.tolist()]
        asked = None if self.nothing_found_ is None else listed
        self.certain_features_ = certain(asked)
        self.false_alarm_ = column(asked, "false_alarm")
        self.feature_shares_ = self.feature_importances_
        if self._joint:
            self._describe_classes(asked, about["held_out"])
        self._weigh_by_importance()
        self.n_features_needed_: int = about["n_features_needed"]
        if len(self.machines_) == 1 or self._joint:
            self.goals_: dict[str, Any] | None = (self.held_out_ or {}).get("goals")

    def _describe_classes(
        self, listed: list[dict[str, Any]] | None, held_out: dict[str, Any] | None
    ) -> None:
        """Set what rows that did not train say of a model of all classes at once."""
        classes = len(self.classes_)
        self.importance_ = column(listed, "importance")
        self.importance_interval_ = shaped(column(listed, "importance_interval"), 2)
        self.class_importance_ = shaped(column(listed, "class_importance"), classes)
        # Pairs of more than 20 classes are not looked at.
        paired = listed if classes <= 20 else None
        self.pair_importance_ = shaped(column(paired, "pair_importance"), classes, classes)
        self.held_out_ = held_out

    def _weigh_by_importance(self) -> None:
        """What others rank features by, from rows that did not train, where these were asked."""
        if self._joint and self.importance_ is not None:
            self.feature_importances_ = self._for_all(np.maximum(self.importance_, 0.0))
            return
        mean = np.zeros(self.n_features_in_)
        for one in self.machines_:
            if one.importance is None:
                return
            share = np.maximum(one.importance, 0.0) / len(self.machines_)
            mean += self._among_all(one.selected_features, share)
        self.feature_importances_ = mean

    def _describe_list(self, machine: TwoClassMachine) -> None:
        super()._describe_list(machine)
        self.feature_deviations_ = self._for_all(machine.feature_deviations)
        self.p_value_ = machine.p_value
        self.kept_share_ = machine.kept_share
        self.log_evidence_ = machine.log_evidence
        self.trace_ = machine.trace

    def _describe_one(self, machine: TwoClassMachine) -> None:
        super()._describe_one(machine)
        self.importance_ = machine.importance
        self.importance_interval_ = machine.importance_interval
        self.held_out_ = machine.held_out
        self.bias_ = machine.bias

    def _warn(self, level: int = 3) -> None:
        super()._warn(level + 1)
        if self.nothing_found_ and self.settings_["certainty"] == "on":
            warnings.warn(
                f"{type(self).__name__}: {self._nothing_found()}.",
                NothingFoundWarning,
                stacklevel=level,
            )

    def _nothing_found(self) -> str:
        """What that means and what to do about it, in words."""
        held_out = [about for one in self.machines_ if (about := one.held_out)]
        goals = [about.get("goals") for about in held_out] + [getattr(self, "goals_", None)]
        beats_chance = any(one and one["beats_chance"] for one in goals)
        if beats_chance and self.n_features_needed_:
            return (
                "no short list does better than chance on rows that did not train, and all features "
                "together do, so that none is listed and all of them predict"
            )
        shares = (
            "no feature does better than chance on rows that did not train, so that none is listed and "
            "the shares of the classes are predicted; more samples may tell more, and "
            'certainty="insist" lists what the fit has all the same'
        )
        if not beats_chance:
            return shares
        return (
            f"{shares}. All features together do better than chance: "
            'goal="accuracy" predicts with them'
        )

    def certain_feature_names_out(self) -> np.ndarray:
        """The names of the features that are certain.

        ``get_feature_names_out`` has all features that the model predicts with.

        Returns
        -------
        ndarray of str
            The names, in the order of ``certain_features_``; where the training data had none, x0, x1, …
            Of groups, theirs.
        """
        check_is_fitted(self)
        if self.certain_features_ is None:
            raise ValueError(
                "it is not known which features are certain: certainty was off, a class has fewer than "
                "three samples, or the model file is of an older version."
            )
        groups = getattr(self, "feature_groups_", None)
        known = _check_feature_names_in(self) if groups is None else groups
        names: np.ndarray = known[self.certain_features_]
        return names

    def summary(self) -> str:
        """What was learned, in words: what the program ``pfcvm inspect`` prints.

        Returns
        -------
        str
            The classes, how the fit ended, and the features with what is known of each.
        """
        check_is_fitted(self)
        return self._fitted.summary()

    def save_model(self, path: str | Path, *, label: str | None = None) -> None:
        """Write a model file, which `load_model` and the program ``pfcvm`` read.

        The file is JSON, holds no code, and gives the same predictions to the bit wherever it is
        read. Classes are written as text, and come back with their type.

        Parameters
        ----------
        path : str or Path
            Where to. An existing file is replaced, once the new one is complete.
        label : str, default=None
            Name of the label column, for the program.
        """
        check_is_fitted(self)
        texts = [name for name in self.classes_.tolist() if isinstance(name, str)]
        mistaken = bool(texts) and labels(texts).dtype.kind != "U"
        self._fitted.write(Path(path), label, mistaken)

    def to_onnx(self, path: str | Path | None = None, *, float32: bool = False) -> bytes:
        """The model as an ONNX graph, for any runtime.

        The graph takes ``X`` with the columns of the training data and gives ``label``,
        ``probabilities``, ``decision`` (f at the mode, as `latent_mean_and_variance` has it) and
        ``variance``, with more than two classes these two in a column for each machine. It computes
        in double precision.

        Parameters
        ----------
        path : str or Path, default=None
            Where to write it; None: nowhere.
        float32 : bool, default=False
            Whether ``X`` is of single precision.

        Returns
        -------
        bytes
            The file.
        """
        check_is_fitted(self)
        onnx = self._fitted.onnx(bool(float32))
        if path is not None:
            Path(path).write_bytes(onnx)
        return onnx
