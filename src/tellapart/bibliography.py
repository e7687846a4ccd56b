"""Every reference once, cited by its key.

A method names the key; documentation, `tellapart methods NAME` and results print
what stands here.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["REFERENCES", "Reference", "cite"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One publication."""

    authors: str
    year: int
    title: str
    where: str

    def __str__(self) -> str:
        return f"{self.authors} ({self.year}). {self.title}. {self.where}."


def cite(reference: str | Reference) -> str:
    """Return a reference in one line: one of ours by its key, or one that a package brings along.

    Examples
    --------
    >>> cite("wilson1927")[:19]
    'Wilson, E. B. (1927'
    """
    return str(reference if isinstance(reference, Reference) else REFERENCES[reference])


REFERENCES = {
    "abramowitz1964": Reference(
        authors="Abramowitz, M. and Stegun, I. A.",
        year=1964,
        title="Handbook of mathematical functions",
        where="National Bureau of Standards, formula 26.5.22",
    ),
    "agresti1998": Reference(
        authors="Agresti, A. and Coull, B. A.",
        year=1998,
        title="Approximate is better than 'exact' for interval estimation of binomial proportions",
        where="The American Statistician 52, 119-126",
    ),
    "anderson1986": Reference(
        authors="Anderson, T. W. and Sclove, S. L.",
        year=1986,
        title="The statistical analysis of data",
        where="Scientific Press, 2nd edition",
    ),
    "anscombe1948": Reference(
        authors="Anscombe, F. J.",
        year=1948,
        title="The transformation of Poisson, binomial and negative-binomial data",
        where="Biometrika 35, 246-254",
    ),
    "blaker2000": Reference(
        authors="Blaker, H.",
        year=2000,
        title="Confidence curves and improved exact confidence intervals for discrete distributions",
        where="Canadian Journal of Statistics 28, 783-798",
    ),
    "box1973": Reference(
        authors="Box, G. E. P. and Tiao, G. C.",
        year=1973,
        title="Bayesian inference in statistical analysis",
        where="Addison-Wesley",
    ),
    "brown2001": Reference(
        authors="Brown, L. D., Cai, T. T. and DasGupta, A.",
        year=2001,
        title="Interval estimation for a binomial proportion",
        where="Statistical Science 16, 101-133",
    ),
    "clopper1934": Reference(
        authors="Clopper, C. J. and Pearson, E. S.",
        year=1934,
        title="The use of confidence or fiducial limits illustrated in the case of the binomial",
        where="Biometrika 26, 404-413",
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
    ),
    "hodges1970": Reference(
        authors="Hodges, J. L. and Lehmann, E. L.",
        year=1970,
        title="Basic concepts of probability and statistics",
        where="Holden-Day, Oakland",
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
    ),
    "martin1996": Reference(
        authors="Martin, J. K. and Hirschberg, D. S.",
        year=1996,
        title="Small sample statistics for classification error rates II: confidence intervals and significance tests",
        where="Technical Report 96-22, University of California, Irvine",
    ),
    "mendenhall1990": Reference(
        authors="Mendenhall, W., Wackerly, D. D. and Scheaffer, R. L.",
        year=1990,
        title="Mathematical statistics with applications",
        where="PWS-Kent, 4th edition",
    ),
    "mitchell1997": Reference(
        authors="Mitchell, T. M.",
        year=1997,
        title="Machine learning, chapter 5: evaluating hypotheses",
        where="McGraw-Hill",
    ),
    "newcombe1998": Reference(
        authors="Newcombe, R. G.",
        year=1998,
        title="Two-sided confidence intervals for the single proportion: comparison of seven methods",
        where="Statistics in Medicine 17, 857-872",
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
}
