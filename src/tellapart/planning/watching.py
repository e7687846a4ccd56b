"""Sequential comparison while labels arrive, in batches, with a valid analysis after each batch."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from ..display import Display
from ..errors import InvalidEvidence, InvalidInput, InvalidOption
from ..evidence import is_one
from ..evidence.base import as_pair_of_names
from ..rendering import Rendered, plain
from ..results import Interval
from ..typing_ import as_alpha, open_unit
from .watch_files import digest_of, read_state, replace_state, state_text
from .watch_looks import (
    COUNTED,
    InterimAnalysis,
    Prior,
    Watched,
    WatchedEvidence,
    add_batch,
    analyse_evidence,
    prior_for,
    rule_for,
    sources_of,
    total_for,
)

_PARAMETERS = {"pair": "difference", "paired scores": "difference", "rate": "error", "mean": "mean"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # eq=False: arrays have no single ==
class Watch(Rendered):
    """A sequential comparison while labels arrive: valid at any stopping time.

    Create one with `Watch.pair`, `Watch.rate`, `Watch.mean` or `Watch.paired_scores`; every `add` is an interim
    analysis (a look), and returns a new watch. `save` and `read_watch` store it in a file.

    For pairs and rates only the counts matter, so any batches of the same examples give the same e-value and interval;
    for means the order of the examples matters. Results that depend on the looks (the decision, and the intersection of
    all intervals) are stored in `looks`.

    Examples
    --------
    >>> from tellapart import PairedTable
    >>> watch = Watch.pair(models=("old", "new"))
    >>> watch = watch.add(PairedTable(3, 9, 2, 286, models=("old", "new")), source="monday")
    >>> watch.decided is None
    True
    >>> watch = watch.add(PairedTable(2, 14, 3, 281, models=("old", "new")), source="tuesday")
    >>> watch.decided, watch.decided_at
    ('B', 2)
    """

    watches: Watched
    rule: str
    alpha: float
    models: tuple[str, ...]
    total: int | None = None  # number of planned examples, for planned looks
    against: float | None = None  # a threshold for an error or a mean
    prior: Prior = None
    evidence: WatchedEvidence | None = None  # of all batches; None before the first look
    looks: tuple[InterimAnalysis, ...] = ()
    _origin: str = ""  # digest of the file that this was read from or saved to, to detect changes

    # --- Construction ---------------------------------------------------------------------------------

    @classmethod
    def pair(
        cls,
        *,
        models: tuple[str, str] = ("A", "B"),
        rule: str | None = None,
        total: int | None = None,
        prior: float | None = None,
        alpha: float | None = None,
        level: float | None = None,
    ) -> Self:
        """Return a watch of two models on the same examples; each batch is a `PairedTable`.

        Parameters
        ----------
        models
            The names of A and B, which the tables must have, too.
        rule
            "mcnemar-evalue" (default: anytime-valid), or "obrien-fleming" or "pocock" for looks up to a planned total.
        total
            The planned number of examples, for planned looks.
        prior
            κ of the Beta(κ, κ) that the bets of mcnemar-evalue come from. Default: 1 (uniform). Larger values detect
            small differences sooner, and large ones later.
        alpha, level
            Type I error rate over all looks together. Default: 0.05.

        Examples
        --------
        >>> Watch.pair(models=("old", "new"), rule="obrien-fleming", total=5000)
        Watch(pair, old and new, obrien-fleming, alpha=0.05, total=5000, 0 looks)
        """
        names = as_pair_of_names(models)
        return cls._begin("pair", names, as_alpha(level, alpha), rule=rule, total=total, prior=prior)

    @classmethod
    def rate(
        cls,
        *,
        model: str = "the model",
        against: float | None = None,
        prior: Any = None,
        alpha: float | None = None,
        level: float | None = None,
    ) -> Self:
        """Return a watch of the error rate of one model; each batch is an `ErrorCount`.

        Parameters
        ----------
        model
            The name of the model.
        against
            A threshold; the decision is made when the interval lies below or above it.
        prior
            (u, v) of the Beta distribution that the bets come from, or its name. Default: Jeffreys' (0.5, 0.5).
        alpha, level
            Probability that the interval of any look misses the true error rate. Default: 0.05.

        Examples
        --------
        >>> from tellapart import ErrorCount
        >>> watch = Watch.rate(against=0.1).add(ErrorCount(12, 400))
        >>> watch.decided
        'below'
        """
        return cls._begin("rate", (_check_name(model),), as_alpha(level, alpha), against=against, prior=prior)

    @classmethod
    def mean(
        cls,
        *,
        model: str = "the model",
        against: float | None = None,
        alpha: float | None = None,
        level: float | None = None,
    ) -> Self:
        """Return a watch of the mean of scores from 0 to 1; each batch is a list, in the order of the examples.

        Parameters are those of `rate`, without a prior: every bet depends on the earlier scores.

        Examples
        --------
        >>> Watch.mean(against=0.5).add([0.9, 0.7, 1.0, 0.8] * 10).decided
        'above'
        """
        return cls._begin("mean", (_check_name(model),), as_alpha(level, alpha), against=against)

    @classmethod
    def paired_scores(
        cls, *, models: tuple[str, str] = ("A", "B"), alpha: float | None = None, level: float | None = None
    ) -> Self:
        """Return a watch of the difference of two models' scores from 0 to 1 on the same examples, in their order.

        Each batch is a list of score(B) − score(A), from −1 to 1: positive if B is better.

        Examples
        --------
        >>> Watch.paired_scores(models=("old", "new")).add([0.3, -0.1, 0.2, 0.4] * 20).decided
        'B'
        """
        return cls._begin("paired scores", as_pair_of_names(models), as_alpha(level, alpha))

    @classmethod
    def _begin(
        cls,
        watches: Watched,
        models: tuple[str, ...],
        alpha: float,
        *,
        rule: str | None = None,
        total: Any = None,
        against: Any = None,
        prior: Any = None,
    ) -> Self:
        if against is not None:
            against = open_unit("against", against, "For 5% use 0.05.")
        rule = rule_for(watches, rule)
        return cls(
            watches=watches,
            rule=rule,
            alpha=alpha,
            models=models,
            total=total_for(rule, total),
            against=against,
            prior=prior_for(rule, prior),
        )

    # --- Batches --------------------------------------------------------------------------------------

    def add(self, batch: Any, *, source: str = "", fingerprint: str = "", when: str = "", name: str = "") -> Self:
        """Return the watch after one more batch of new examples, with an interim analysis.

        Parameters
        ----------
        batch
            A `PairedTable`, an `ErrorCount`, or a list of scores or differences, of examples that are in no earlier
            batch.
        source
            The name of the batch in the table of looks.
        fingerprint
            A fingerprint of its content, such as a SHA-256; several are separated by blanks. A part that was added
            before is refused.
        when
            The time of the batch, if it is to be stored; the clock is not used, so that equal batches give equal
            watches.
        name
            A unique name, such as "2024-05-13": a second batch of that name is refused, so that a repeated step adds
            nothing twice. It is also the default source.

        Examples
        --------
        >>> from tellapart import ErrorCount
        >>> watch = Watch.rate().add(ErrorCount(1, 50)).add(ErrorCount(3, 150))
        >>> watch.examples, len(watch.looks)
        (200, 2)
        """
        self._check_new(source, fingerprint, _as_batch_name(name))
        evidence = add_batch(self.watches, self.evidence, batch, self.models, self.alpha)
        last = replace(
            analyse_evidence(self, evidence),
            source=str(source or name),
            fingerprint=str(fingerprint),
            when=str(when),
            name=name,
            counts=_count_cells(self.watches, batch),
        )
        return replace(self, evidence=evidence, looks=(*self.looks, last))

    def repeats_last(self, *batches: Any) -> int:
        """Return the number of these batches (from the first) that equal the last ones that were added; 0 if none.

        Equal counts may mean that a batch is added again, after a command that failed halfway, or that new examples
        gave the same counts. Batches of scores are never counted, nor are those in files of older versions without
        counts.

        Examples
        --------
        >>> from tellapart import ErrorCount
        >>> watch = Watch.rate().add(ErrorCount(1, 50)).add(ErrorCount(3, 150))
        >>> watch.repeats_last(ErrorCount(3, 150)), watch.repeats_last(ErrorCount(1, 50))
        (1, 0)
        """
        here = [_count_cells(self.watches, batch) for batch in batches]
        before = [look.counts for look in self.looks]
        sizes = range(min(len(here), len(before)), 0, -1)
        return next((size for size in sizes if here[:size] == before[-size:] and all(here[:size])), 0)

    def _check_new(self, source: str, fingerprint: str, name: str) -> None:
        parts = set(fingerprint.split())
        for number, look in enumerate(self.looks, 1):
            if name and name == look.name:
                raise InvalidEvidence(
                    f"a batch named {name!r} was added before, at look {number}. Nothing was added; use another name if"
                    " these examples are new."
                )
            if parts & set(look.fingerprint.split()):
                here, earlier = (f" ({name})" if name else "" for name in (source, look.source))
                raise InvalidEvidence(
                    f"this batch{here} was added before, at look {number}{earlier}: its content has the same"
                    " fingerprint. Nothing was added."
                )

    @property
    def examples(self) -> int:
        """Number of examples so far."""
        return self.looks[-1].examples if self.looks else 0

    @property
    def held(self) -> WatchedEvidence | None:
        """Deprecated alias of `evidence`."""
        return self.evidence

    @property
    def last(self) -> InterimAnalysis:
        """The last look, without looks after the end of a plan."""
        counting = [look for look in self.looks if not look.late]
        if not counting:
            raise InvalidEvidence("the watch has no examples yet. Add a batch first.")
        return counting[-1]

    @property
    def estimate(self) -> float:
        """The difference (positive: B is better), the error rate or the mean at the last look."""
        return self.last.estimate

    @property
    def evalue(self) -> float:
        """The e-value against equal error rates at the last look; NaN for rules without one."""
        return self.last.evalue

    @property
    def interval(self) -> Interval | None:
        """The interval of the last look; None if it is empty, or before the first look."""
        if not self.looks or math.isnan(self.last.low):
            return None
        return self._interval(self.last.low, self.last.high)

    @property
    def intersection(self) -> Interval | None:
        """The intersection of the intervals of all looks; None if it is empty (see `broken`).

        It depends on the looks that were taken.
        """
        limits = [(look.low, look.high) for look in self.looks if not look.late]
        if not limits or any(math.isnan(low) for low, _ in limits):
            return None
        low, high = max(low for low, _ in limits), min(high for _, high in limits)
        return self._interval(low, high) if low < high else None

    @property
    def broken(self) -> bool:
        """Whether the intervals of all looks have no value in common: a sign of violated assumptions."""
        return bool(self.looks) and self.intersection is None

    @property
    def decided_at(self) -> int | None:
        """Number of the look that decided; None if none has. Later looks do not change the decision."""
        return next((number for number, look in enumerate(self.looks, 1) if look.decides), None)

    @property
    def decided(self) -> str | None:
        """The decision: "A" or "B" is better; for one model "below" or "above" the threshold; None if undecided."""
        return None if self.decided_at is None else self.looks[self.decided_at - 1].decides

    @property
    def is_over(self) -> bool:
        """Whether all planned examples are used, so that no later look can decide."""
        return self.total is not None and self.examples >= self.total

    @property
    def references(self) -> tuple[str, ...]:
        """Reference keys of the rule."""
        return sources_of(self.rule)

    def _interval(self, low: float, high: float) -> Interval:
        return Interval(
            low=np.float64(low),  # type: ignore[arg-type]  # a scalar goes by the array's type
            high=np.float64(high),  # type: ignore[arg-type]
            alpha=self.alpha,
            method=self.rule,
            parameter=_PARAMETERS[self.watches],
            metric="error" if self.watches in ("pair", "rate") else "score",
        )

    # --- Text -----------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """The decision, the figures and the data, in sentences."""
        from .watch_wording import summarize_watch

        return summarize_watch(self)

    def display(self, *, verbose: bool = False) -> Display:
        """Return the layout; with `verbose` every look, and the intersection of all intervals."""
        from .watch_wording import build_display

        return build_display(self, verbose=verbose)

    def explanations(self) -> list[tuple[str, str]]:
        """Return labels and sentences: the validity of the decision, and the meaning of the figures."""
        from .watch_wording import explain_watch

        return list(explain_watch(self))

    def as_dict(self) -> dict[str, Any]:
        """Return settings, evidence, looks and the decision, at full precision."""
        settings = {"watches": self.watches, "rule": self.rule, "alpha": self.alpha, "models": list(self.models)}
        now, every = self.interval, self.intersection
        reported = {"as_accuracy": True} if getattr(self.evidence, "as_accuracy", False) else {}
        return {
            **settings,
            **reported,
            "total": self.total,
            "against": self.against,
            "prior": self.prior,
            "held": None if self.evidence is None else self.evidence.as_dict(),  # the key of the stored format
            "looks": [look.as_dict() for look in self.looks],
            "examples": self.examples,
            "estimate": self.estimate if self.looks else None,
            "interval": None if now is None else now.as_dict(),
            "intersection": None if every is None else every.as_dict(),
            "broken": self.broken,
            "decided": self.decided,
            "decided_at": self.decided_at,
            "words": self.words,
        }

    def to_json(self, indent: int | None = 2) -> str:
        """Return JSON at full precision with a checksum, which `from_json` reads.

        Examples
        --------
        >>> from tellapart import ErrorCount
        >>> watch = Watch.rate().add(ErrorCount(3, 120))
        >>> Watch.from_json(watch.to_json()).examples
        120
        """
        return state_text(plain(self.as_dict()), indent)

    @classmethod
    def from_json(cls, text: str, name: str = "this text") -> Self:
        """Return the watch of a text by `to_json`; `name` is used in errors."""
        settings, evidence, looks = read_state(text, name)
        try:
            watch = cls._begin(**settings)
        except (InvalidOption, TypeError) as error:
            raise InvalidEvidence(f"{name} is an invalid watch: {error}") from error
        return replace(watch, evidence=evidence, looks=looks)

    # --- Files ----------------------------------------------------------------------------------------

    def save(self, file: str | Path) -> Path:
        """Write the watch to a file, completely or not at all.

        An existing file must be unchanged since this watch (or its predecessor) was read from it or saved to it:
        batches that others added in the meantime are never lost, and other files are never replaced.

        Examples
        --------
        >>> import tempfile
        >>> from tellapart import ErrorCount
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Watch.rate().add(ErrorCount(3, 120)).save(f"{folder}/errors.json")
        ...     read_watch(file).add(ErrorCount(1, 80)).save(file).name
        'errors.json'
        """
        text = self.to_json()
        path = replace_state(Path(file), text, self._origin)
        object.__setattr__(self, "_origin", digest_of(text.encode()))  # the file now has the content of this watch
        return path

    def __repr__(self) -> str:
        total = "" if self.total is None else f", total={self.total}"
        total += "" if self.prior == prior_for(self.rule, None) else f", prior={self.prior}"
        looks = f"{len(self.looks)} look{'s' * (len(self.looks) != 1)}"
        return (
            f"Watch({self.watches}, {' and '.join(self.models)}, {self.rule}, alpha={self.alpha:.6g}{total}, {looks})"
        )


def read_watch(file: str | Path) -> Watch:
    """Return the watch that is stored in a file.

    Examples
    --------
    >>> import tempfile
    >>> from tellapart import ErrorCount
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     read_watch(Watch.rate(model="new").add(ErrorCount(3, 120)).save(f"{folder}/errors.json"))
    Watch(rate, new, beta-binomial-cs, alpha=0.05, 1 look)
    """
    try:
        path = Path(file)
        if path.exists() and not path.is_file():  # a device has no end
            raise InvalidEvidence(f"{str(file)!r} is not a file. Use the file of a watch.")
        data = path.read_bytes()
    except InvalidEvidence:
        raise
    except TypeError:
        raise InvalidInput(f"`file` must be a path, got {type(file).__name__}.") from None
    except (OSError, ValueError) as error:  # the name may be invalid
        why = getattr(error, "strerror", None) or error
        raise InvalidEvidence(f"cannot read {str(file)!r}: {why}.") from error
    watch = Watch.from_json(data.decode("utf-8", "replace"), repr(str(file)))
    return replace(watch, _origin=digest_of(data))


def _as_batch_name(name: Any) -> str:
    if not isinstance(name, str) or (name and not name.strip()):
        raise InvalidOption(f"`name` must be a text that is not blank, got {name!r}. Leave it out, or give a name.")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InvalidOption(f"`name` must be valid UTF-8, got {name!r}. Give another name.") from None
    return name


def _count_cells(watched: Watched, batch: Any) -> tuple[int, ...]:
    """Return the counts of a batch; none for scores."""
    if watched not in COUNTED:
        return ()
    kind, _, cells = COUNTED[watched]
    return tuple(int(getattr(batch, cell)) for cell in cells) if is_one(batch, kind) else ()


def _check_name(model: Any) -> str:
    if not isinstance(model, str) or not model.strip():
        raise InvalidOption(f"`model` must be a name, got {model!r}.")
    return model
