"""Every reference once, cited by its key; and as BibTeX.

A method names the key; documentation, `tellapart methods NAME` and results print
what stands here.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from importlib import import_module
from typing import Literal, get_args

from .errors import InvalidOption
from .markup import in_bibtex

__all__ = ["REFERENCES", "Kind", "Reference", "bibtex", "cite", "keyed", "reference_of"]

Kind = Literal["article", "book", "inproceedings", "misc", "phdthesis", "techreport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One publication.

    Parameters
    ----------
    authors
        Surname, initials, in the order of the publication: "Agresti, A. and Coull, B. A."
    year, title
        When it came out, and what it is called.
    where
        Journal, volume and pages ("Biometrika 26, 404-413"), publisher and edition ("Wiley, 3rd edition"), proceedings
        and volume, report and institution ("Technical Report 96-22, University of California"), "PhD thesis, " and
        school, or "arXiv:" and number.
    kind
        Its kind of BibTeX entry, where that does not show in `where`: a book says so.

    Examples
    --------
    >>> print(Reference(authors="Doe, J.", year=2001, title="On Bayes", where="Biometrika 88, 1-9").bibtex())
    @article{doe2001,
      author = {Doe, J.},
      title = {On {Bayes}},
      year = {2001},
      journal = {Biometrika},
      volume = {88},
      pages = {1--9},
    }
    """

    authors: str
    year: int
    title: str
    where: str
    kind: Kind | None = None

    def __post_init__(self) -> None:
        if self.kind is not None and self.kind not in get_args(Kind):
            raise InvalidOption(f"kind must be one of {', '.join(get_args(Kind))}, or None, but is {self.kind!r}.")

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}). {self.title}. {self.where}."

    @property
    def key(self) -> str:
        """The first author's name and the year, in plain letters."""
        surname = re.split(r",| and | et al", self.authors)[0]
        plain = unicodedata.normalize("NFKD", surname).encode("ascii", "ignore").decode()
        return f"{re.sub('[^a-z0-9]', '', plain.lower()) or 'anonymous'}{self.year}"

    def bibtex(self, key: str | None = None) -> str:
        """Return the entry of a BibTeX file, under this key or one made of first author and year."""
        kind, found = _parts(self)
        fields = {"author": " and ".join(map(_author, _names(self.authors))), "title": _capitals_kept(self.title)}
        fields |= {"year": str(self.year)} | {name: in_bibtex(value) for name, value in found.items()}
        if "pages" in fields:
            fields["pages"] = found["pages"].replace("-", "--")
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@{kind}{{{key or self.key},", *lines, "}"])

    @property
    def short(self) -> str:
        """Authors and year, as one says them: "Agresti and Coull 1998"."""
        surnames = [name.partition(",")[0] for name in _names(self.authors)]
        first = surnames[0] if len(surnames) != 2 or surnames[1] == "others" else " and ".join(surnames)
        return f"{first}{' et al.' * (len(surnames) > 2 or surnames[-1] == 'others')} {self.year}"


# How `where` is written. What has a name in a pattern has it in BibTeX; a book has to say that it is one.
_PROCEEDINGS = r"(?P<booktitle>(?:Advances in|Proceedings|(?:\S+ )*Conference)[^,\d]*?)"
_FORMS: tuple[tuple[Kind, str], ...] = (
    ("misc", r"(?P<howpublished>arXiv:(?P<eprint>\S+))"),
    ("phdthesis", r"(?:PhD|[Dd]octoral) (?:thesis|dissertation), (?P<school>.+)"),
    ("techreport", r"(?P<type>(?:Technical|Research) [Rr]eport)(?: (?P<number>\S*\d\S*))?, (?P<institution>.+)"),
    ("inproceedings", rf"{_PROCEEDINGS}(?: (?P<volume>\d+))?(?:, (?P<pages>\d+(?:-\d+)?))?"),
    ("inproceedings", rf"{_PROCEEDINGS}, (?P<series>\D+) (?P<volume>\d+)(?:, (?P<pages>\d+(?:-\d+)?))?"),
    ("article", r"(?P<journal>\D+) (?P<volume>\d+)(?:\((?P<number>\d+)\))?, (?P<pages>\w+(?:-\w+)?)"),
    ("book", r"(?P<series>\D+) (?P<volume>\d+), (?P<publisher>[^,]+)"),
    ("book", r"(?P<publisher>[^,]+), (?P<edition>\d+\w\w) edition"),
    ("book", r"(?P<publisher>[^,]+)(?:, (?P<address>[^,\d]+))?(?:, (?P<note>.*\d.*))?"),
)


def _parts(reference: Reference) -> tuple[Kind, dict[str, str]]:
    """Return the kind of entry, and what `where` says, by the names of BibTeX."""
    for kind, pattern in _FORMS:
        if reference.kind != kind and (reference.kind is not None or kind == "book"):
            continue
        found = re.fullmatch(pattern, reference.where)
        if found:
            parts = {name: value for name, value in found.groupdict().items() if value}
            return kind, parts | ({"archiveprefix": "arXiv"} if "eprint" in parts else {})
    # An entry of its kind must have these; what is not understood is told whole, and nothing is lost.
    needed = {
        "article": "journal",
        "book": "publisher",
        "inproceedings": "booktitle",
        "phdthesis": "school",
        "techreport": "institution",
    }
    kind = reference.kind or "misc"
    return kind, {needed.get(kind, "howpublished"): reference.where}


def _names(authors: str) -> list[str]:
    """Return each author as "Surname, Initials"; "others" stand for who is not named."""
    names = []
    for chunk in re.sub(r",? et al\.?$", " and others", authors).split(" and "):
        parts = [part.strip() for part in chunk.split(", ") if part.strip()]
        while parts:
            paired = len(parts) > 1 and (len(parts) % 2 == 0 or parts[1].endswith("."))
            names.append(", ".join(parts[: 1 + paired]))
            del parts[: 1 + paired]
    return names


def _author(name: str) -> str:
    """Return a name as BibTeX takes it; "The R team" is nobody called team."""
    return f"{{{in_bibtex(name)}}}" if name.startswith("The ") else in_bibtex(name)


def _capitals_kept(title: str) -> str:
    """Return a title whose names keep their capitals in styles that would write them small."""

    def kept(found: re.Match[str]) -> str:
        word = found[0]
        small = not any(map(str.isupper, word[found.start() == 0 :]))  # the title's first letter stays as it is anyway
        return in_bibtex(word) if small else f"{{{in_bibtex(word)}}}"

    return re.sub(r"\w[^\s]*\w|\w|[^\w\s]+", kept, title)


def cite(reference: str | Reference) -> str:
    """Return a reference in one line: one of ours by its key, or one that a package brings along.

    Examples
    --------
    >>> cite("wilson1927")[:19]
    'Wilson, E. B. (1927'
    """
    return str(reference_of(reference))


def keyed(*references: str | Reference) -> dict[str, Reference]:
    """Return references by their keys, each once: ours have them; one that a package brings along gets its own.

    Examples
    --------
    >>> theirs = Reference(authors="Tango, T.", year=1998, title="Another paper", where="Biometrika 85, 1-2")
    >>> list(keyed("tango1998", theirs, "tango1998"))
    ['tango1998', 'tango1998b']
    """
    ours = {found: key for key, found in REFERENCES.items()}
    keys: dict[str, Reference] = {}
    for reference in references:
        found = reference_of(reference)
        if found in keys.values():
            continue
        key = reference if isinstance(reference, str) else ours.get(found, "")
        tries = (f"{found.key}{letter}" for letter in ("", *"bcdefghijklmnopqrstuvwxyz"))
        keys[key or next(each for each in tries if each not in keys and each not in REFERENCES)] = found
    return keys


def bibtex(*references: str | Reference) -> str:
    """Return BibTeX entries: of references by their keys, of those that a package brings along, of "tellapart" itself.

    Examples
    --------
    >>> print(bibtex("agresti1998"))
    @article{agresti1998,
      author = {Agresti, A. and Coull, B. A.},
      title = {Approximate is better than 'exact' for interval estimation of binomial proportions},
      year = {1998},
      journal = {The American Statistician},
      volume = {52},
      pages = {119--126},
    }
    """
    return "\n\n".join(found.bibtex(key) for key, found in keyed(*references).items())


def reference_of(reference: str | Reference) -> Reference:
    """Return what a key of the bibliography stands for; a reference is one already."""
    if isinstance(reference, Reference):
        return reference
    if reference == "tellapart":
        return _software()
    if reference not in REFERENCES:
        raise InvalidOption(f"reference must be a key of the bibliography or a Reference, but is {reference!r}.")
    return REFERENCES[reference]


def _software() -> Reference:
    """Return how to cite this very version; CITATION.cff says the same."""
    version = import_module("tellapart").__version__  # an import of the root would be one of the whole house
    title, where = "tellapart: tells classifiers apart", f"Version {version}"
    return Reference(authors="The tellapart authors", year=2026, title=title, where=where, kind="misc")


REFERENCES = {
    "abramowitz1964": Reference(
        authors="Abramowitz, M. and Stegun, I. A.",
        year=1964,
        title="Handbook of mathematical functions",
        where="National Bureau of Standards, formula 26.5.22",
        kind="book",
    ),
    "agresti1998": Reference(
        authors="Agresti, A. and Coull, B. A.",
        year=1998,
        title="Approximate is better than 'exact' for interval estimation of binomial proportions",
        where="The American Statistician 52, 119-126",
    ),
    "agresti2000": Reference(
        authors="Agresti, A. and Caffo, B.",
        year=2000,
        title="Simple and effective confidence intervals for proportions and differences of "
        "proportions result from adding two successes and two failures",
        where="The American Statistician 54, 280-288",
    ),
    "agresti2005": Reference(
        authors="Agresti, A. and Min, Y.",
        year=2005,
        title="Simple improved confidence intervals for comparing matched proportions",
        where="Statistics in Medicine 24, 729-740",
    ),
    "alpaydin1999": Reference(
        authors="Alpaydin, E.",
        year=1999,
        title="Combined 5 × 2 cv F test for comparing supervised classification learning algorithms",
        where="Neural Computation 11, 1885-1892",
    ),
    "anderson1986": Reference(
        authors="Anderson, T. W. and Sclove, S. L.",
        year=1986,
        title="The statistical analysis of data",
        where="Scientific Press, 2nd edition",
        kind="book",
    ),
    "anscombe1948": Reference(
        authors="Anscombe, F. J.",
        year=1948,
        title="The transformation of Poisson, binomial and negative-binomial data",
        where="Biometrika 35, 246-254",
    ),
    "barnard1947": Reference(
        authors="Barnard, G. A.",
        year=1947,
        title="Significance tests for 2 × 2 tables",
        where="Biometrika 34, 123-138",
    ),
    "bates2024": Reference(
        authors="Bates, S., Hastie, T. and Tibshirani, R.",
        year=2024,
        title="Cross-validation: what does it estimate and how well does it do it?",
        where="Journal of the American Statistical Association 119, 1434-1445",
    ),
    "bayle2020": Reference(
        authors="Bayle, P., Bayle, A., Janson, L. and Mackey, L.",
        year=2020,
        title="Cross-validation confidence intervals for test error",
        where="Advances in Neural Information Processing Systems 33",
    ),
    "benjamini1995": Reference(
        authors="Benjamini, Y. and Hochberg, Y.",
        year=1995,
        title="Controlling the false discovery rate: a practical and powerful approach to multiple testing",
        where="Journal of the Royal Statistical Society B 57, 289-300",
    ),
    "benjamini2001": Reference(
        authors="Benjamini, Y. and Yekutieli, D.",
        year=2001,
        title="The control of the false discovery rate in multiple testing under dependency",
        where="Annals of Statistics 29, 1165-1188",
    ),
    "blaker2000": Reference(
        authors="Blaker, H.",
        year=2000,
        title="Confidence curves and improved exact confidence intervals for discrete distributions",
        where="Canadian Journal of Statistics 28, 783-798",
    ),
    "bonett2012": Reference(
        authors="Bonett, D. G. and Price, R. M.",
        year=2012,
        title="Adjusted Wald confidence interval for a difference of binomial proportions based on paired data",
        where="Journal of Educational and Behavioral Statistics 37, 479-488",
    ),
    "boschloo1970": Reference(
        authors="Boschloo, R. D.",
        year=1970,
        title="Raised conditional level of significance for the 2 × 2-table when testing the equality "
        "of two probabilities",
        where="Statistica Neerlandica 24, 1-9",
    ),
    "bouckaert2004": Reference(
        authors="Bouckaert, R. R. and Frank, E.",
        year=2004,
        title="Evaluating the replicability of significance tests for comparing learning algorithms",
        where="Advances in Knowledge Discovery and Data Mining, Lecture Notes in Computer Science 3056, 3-12",
    ),
    "bouthillier2021": Reference(
        authors="Bouthillier, X. et al.",
        year=2021,
        title="Accounting for variance in machine learning benchmarks",
        where="Proceedings of Machine Learning and Systems 3",
    ),
    "bowyer2025": Reference(
        authors="Bowyer, S., Aitchison, L. and Ivanova, D. R.",
        year=2025,
        title="Position: Don't use the CLT in LLM evals with fewer than a few hundred datapoints",
        where="International Conference on Machine Learning",
    ),
    "box1973": Reference(
        authors="Box, G. E. P. and Tiao, G. C.",
        year=1973,
        title="Bayesian inference in statistical analysis",
        where="Addison-Wesley",
        kind="book",
    ),
    "brown2001": Reference(
        authors="Brown, L. D., Cai, T. T. and DasGupta, A.",
        year=2001,
        title="Interval estimation for a binomial proportion",
        where="Statistical Science 16, 101-133",
    ),
    "campbell2007": Reference(
        authors="Campbell, I.",
        year=2007,
        title="Chi-squared and Fisher-Irwin tests of two-by-two tables with small sample recommendations",
        where="Statistics in Medicine 26, 3661-3675",
    ),
    "clark1973": Reference(
        authors="Clark, H. H.",
        year=1973,
        title="The language-as-fixed-effect fallacy: a critique of language statistics in psychological research",
        where="Journal of Verbal Learning and Verbal Behavior 12, 335-359",
    ),
    "clopper1934": Reference(
        authors="Clopper, C. J. and Pearson, E. S.",
        year=1934,
        title="The use of confidence or fiducial limits illustrated in the case of the binomial",
        where="Biometrika 26, 404-413",
    ),
    "cochran1950": Reference(
        authors="Cochran, W. G.",
        year=1950,
        title="The comparison of percentages in matched samples",
        where="Biometrika 37, 256-266",
    ),
    "cochran1977": Reference(
        authors="Cochran, W. G.",
        year=1977,
        title="Sampling techniques",
        where="Wiley, 3rd edition",
        kind="book",
    ),
    "corani2015": Reference(
        authors="Corani, G. and Benavoli, A.",
        year=2015,
        title="A Bayesian approach for comparing cross-validated algorithms on multiple data sets",
        where="Machine Learning 100, 285-304",
    ),
    "dietterich1998": Reference(
        authors="Dietterich, T. G.",
        year=1998,
        title="Approximate statistical tests for comparing supervised classification learning algorithms",
        where="Neural Computation 10, 1895-1923",
    ),
    "dunn1961": Reference(
        authors="Dunn, O. J.",
        year=1961,
        title="Multiple comparisons among means",
        where="Journal of the American Statistical Association 56, 52-64",
    ),
    "efron1983": Reference(
        authors="Efron, B.",
        year=1983,
        title="Estimating the error rate of a prediction rule: improvement on cross-validation",
        where="Journal of the American Statistical Association 78, 316-331",
    ),
    "efron1987": Reference(
        authors="Efron, B.",
        year=1987,
        title="Better bootstrap confidence intervals",
        where="Journal of the American Statistical Association 82, 171-185",
    ),
    "efron1993": Reference(
        authors="Efron, B. and Tibshirani, R. J.",
        year=1993,
        title="An introduction to the bootstrap",
        where="Chapman and Hall",
        kind="book",
    ),
    "efron1997": Reference(
        authors="Efron, B. and Tibshirani, R.",
        year=1997,
        title="Improvements on cross-validation: the .632+ bootstrap method",
        where="Journal of the American Statistical Association 92, 548-560",
    ),
    "elazmeh2006": Reference(
        authors="Elazmeh, W., Japkowicz, N. and Matwin, S.",
        year=2006,
        title="Confidence interval for the difference in classification error",
        where="Proceedings of the AAAI Workshop on Evaluation Methods for Machine Learning",
    ),
    "fagerland2013": Reference(
        authors="Fagerland, M. W., Lydersen, S. and Laake, P.",
        year=2013,
        title="The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact conditional",
        where="BMC Medical Research Methodology 13, 91",
    ),
    "fagerland2014": Reference(
        authors="Fagerland, M. W., Lydersen, S. and Laake, P.",
        year=2014,
        title="Recommended tests and confidence intervals for paired binomial proportions",
        where="Statistics in Medicine 33, 2850-2875",
    ),
    "farrington1990": Reference(
        authors="Farrington, C. P. and Manning, G.",
        year=1990,
        title="Test statistics and sample size formulae for comparative binomial trials with null "
        "hypothesis of non-zero risk difference or non-unity relative risk",
        where="Statistics in Medicine 9, 1447-1454",
    ),
    "fisher1935": Reference(
        authors="Fisher, R. A.",
        year=1935,
        title="The logic of inductive inference",
        where="Journal of the Royal Statistical Society 98, 39-82",
    ),
    "hochberg1988": Reference(
        authors="Hochberg, Y.",
        year=1988,
        title="A sharper Bonferroni procedure for multiple tests of significance",
        where="Biometrika 75, 800-802",
    ),
    "hodges1970": Reference(
        authors="Hodges, J. L. and Lehmann, E. L.",
        year=1970,
        title="Basic concepts of probability and statistics",
        where="Holden-Day, Oakland",
        kind="book",
    ),
    "holm1979": Reference(
        authors="Holm, S.",
        year=1979,
        title="A simple sequentially rejective multiple test procedure",
        where="Scandinavian Journal of Statistics 6, 65-70",
    ),
    "hommel1988": Reference(
        authors="Hommel, G.",
        year=1988,
        title="A stagewise rejective multiple test procedure based on a modified Bonferroni test",
        where="Biometrika 75, 383-386",
    ),
    "lancaster1961": Reference(
        authors="Lancaster, H. O.",
        year=1961,
        title="Significance tests in discrete distributions",
        where="Journal of the American Statistical Association 56, 223-234",
    ),
    "laplace1812": Reference(
        authors="Laplace, P. S.",
        year=1812,
        title="Théorie analytique des probabilités",
        where="Courcier, Paris",
        kind="book",
    ),
    "laud2017": Reference(
        authors="Laud, P. J.",
        year=2017,
        title="Equal-tailed confidence intervals for comparison of rates",
        where="Pharmaceutical Statistics 16, 334-348",
    ),
    "lloyd2007": Reference(
        authors="Lloyd, C. J. and Moldovan, M. V.",
        year=2007,
        title="Exact one-sided confidence limits for the difference between two correlated proportions",
        where="Statistics in Medicine 26, 3369-3384",
    ),
    "martin1996": Reference(
        authors="Martin, J. K. and Hirschberg, D. S.",
        year=1996,
        title="Small sample statistics for classification error rates II: confidence intervals and significance tests",
        where="Technical Report 96-22, University of California, Irvine",
    ),
    "mcnemar1947": Reference(
        authors="McNemar, Q.",
        year=1947,
        title="Note on the sampling error of the difference between correlated proportions or percentages",
        where="Psychometrika 12, 153-157",
    ),
    "mee1984": Reference(
        authors="Mee, R. W.",
        year=1984,
        title="Confidence bounds for the difference between two probabilities",
        where="Biometrics 40, 1175-1176",
    ),
    "mendenhall1990": Reference(
        authors="Mendenhall, W., Wackerly, D. D. and Scheaffer, R. L.",
        year=1990,
        title="Mathematical statistics with applications",
        where="PWS-Kent, 4th edition",
        kind="book",
    ),
    "miettinen1985": Reference(
        authors="Miettinen, O. and Nurminen, M.",
        year=1985,
        title="Comparative analysis of two rates",
        where="Statistics in Medicine 4, 213-226",
    ),
    "mitchell1997": Reference(
        authors="Mitchell, T. M.",
        year=1997,
        title="Machine learning, chapter 5: evaluating hypotheses",
        where="McGraw-Hill",
        kind="book",
    ),
    "nadeau2003": Reference(
        authors="Nadeau, C. and Bengio, Y.",
        year=2003,
        title="Inference for the generalization error",
        where="Machine Learning 52, 239-281",
    ),
    "nam2002": Reference(
        authors="Nam, J. and Blackwelder, W. C.",
        year=2002,
        title="Analysis of the ratio of marginal probabilities in a matched-pair setting",
        where="Statistics in Medicine 21, 689-699",
    ),
    "newcombe1998": Reference(
        authors="Newcombe, R. G.",
        year=1998,
        title="Two-sided confidence intervals for the single proportion: comparison of seven methods",
        where="Statistics in Medicine 17, 857-872",
    ),
    "newcombe1998b": Reference(
        authors="Newcombe, R. G.",
        year=1998,
        title="Interval estimation for the difference between independent proportions: comparison of eleven methods",
        where="Statistics in Medicine 17, 873-890",
    ),
    "newcombe1998c": Reference(
        authors="Newcombe, R. G.",
        year=1998,
        title="Improved confidence intervals for the difference between binomial proportions based on paired data",
        where="Statistics in Medicine 17, 2635-2650",
    ),
    "nurminen1987": Reference(
        authors="Nurminen, M. and Mutanen, P.",
        year=1987,
        title="Exact Bayesian analysis of two proportions",
        where="Scandinavian Journal of Statistics 14, 67-77",
    ),
    "owen2007": Reference(
        authors="Owen, A. B.",
        year=2007,
        title="The pigeonhole bootstrap",
        where="Annals of Applied Statistics 1, 386-411",
    ),
    "piepho2004": Reference(
        authors="Piepho, H.-P.",
        year=2004,
        title="An algorithm for a letter-based representation of all-pairwise comparisons",
        where="Journal of Computational and Graphical Statistics 13, 456-466",
    ),
    "romano2005": Reference(
        authors="Romano, J. P. and Wolf, M.",
        year=2005,
        title="Exact and approximate stepdown methods for multiple hypothesis testing",
        where="Journal of the American Statistical Association 100, 94-108",
    ),
    "satterthwaite1946": Reference(
        authors="Satterthwaite, F. E.",
        year=1946,
        title="An approximate distribution of estimates of variance components",
        where="Biometrics Bulletin 2, 110-114",
    ),
    "schulzkumpel2024": Reference(
        authors="Schulz-Kümpel, H., Fischer, S., Nagler, T., Boulesteix, A.-L., Bischl, B. and Hornung, R.",
        year=2024,
        title="Constructing confidence intervals for 'the' generalization error: a comprehensive benchmark study",
        where="arXiv:2409.18836",
    ),
    "stone1974": Reference(
        authors="Stone, M.",
        year=1974,
        title="Cross-validatory choice and assessment of statistical predictions",
        where="Journal of the Royal Statistical Society B 36, 111-147",
    ),
    "suissa1991": Reference(
        authors="Suissa, S. and Shuster, J. J.",
        year=1991,
        title="The 2 x 2 matched-pairs trial: exact unconditional design and analysis",
        where="Biometrics 47, 361-372",
    ),
    "tango1998": Reference(
        authors="Tango, T.",
        year=1998,
        title="Equivalence test and confidence interval for the difference in proportions for the paired-sample design",
        where="Statistics in Medicine 17, 891-908",
    ),
    "tate1970": Reference(
        authors="Tate, M. W. and Brown, S. M.",
        year=1970,
        title="Note on the Cochran Q test",
        where="Journal of the American Statistical Association 65, 155-160",
    ),
    "tsamardinos2018": Reference(
        authors="Tsamardinos, I., Greasidou, E. and Borboudakis, G.",
        year=2018,
        title="Bootstrapping the out-of-sample predictions for efficient and accurate cross-validation",
        where="Machine Learning 107, 1895-1922",
    ),
    "weiss1991": Reference(
        authors="Weiss, S. M.",
        year=1991,
        title="Small sample error rate estimation for k-NN classifiers",
        where="IEEE Transactions on Pattern Analysis and Machine Intelligence 13, 285-289",
    ),
    "welch1947": Reference(
        authors="Welch, B. L.",
        year=1947,
        title="The generalization of 'Student's' problem when several different population variances are involved",
        where="Biometrika 34, 28-35",
    ),
    "westfall1993": Reference(
        authors="Westfall, P. H. and Young, S. S.",
        year=1993,
        title="Resampling-based multiple testing: examples and methods for p-value adjustment",
        where="Wiley",
        kind="book",
    ),
    "wilks1938": Reference(
        authors="Wilks, S. S.",
        year=1938,
        title="The large-sample distribution of the likelihood ratio for testing composite hypotheses",
        where="Annals of Mathematical Statistics 9, 60-62",
    ),
    "wilson1927": Reference(
        authors="Wilson, E. B.",
        year=1927,
        title="Probable inference, the law of succession, and statistical inference",
        where="Journal of the American Statistical Association 22, 209-212",
    ),
    "wright1991": Reference(
        authors="Wright, T.",
        year=1991,
        title="Exact confidence bounds when sampling from small finite universes",
        where="Lecture Notes in Statistics 66, Springer",
        kind="book",
    ),
    "yan2010": Reference(
        authors="Yan, X. and Su, X. G.",
        year=2010,
        title="Stratified Wilson and Newcombe confidence intervals for multiple binomial proportions",
        where="Statistics in Biopharmaceutical Research 2, 329-335",
    ),
    "yang2006": Reference(
        authors="Yang, Y.",
        year=2006,
        title="Comparing learning methods for classification",
        where="Statistica Sinica 16, 635-657",
    ),
}
