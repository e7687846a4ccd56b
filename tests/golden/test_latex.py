"""The LaTeX table of scores over data sets: the specimen of VOICE.md, line by line."""

from pathlib import Path

import pytest

import tellapart as ta

ROOT = Path(__file__).parents[2]
# Specimen 3.22, which shows 5 of the 18 data sets. Means and SDs are those of the runs in benchmark.csv.
ABOVE = r"""\begin{table}
\caption{Accuracy (\%), mean $\pm$ SD of 10 runs. Bold: best mean.
$^\dagger$: worse than svm over the 18 data sets
(Wilcoxon signed-rank, Holm-adjusted, $\alpha = 0.05$).}
\begin{tabular}{lcccccc}
\toprule
 & svm & forest & logistic & bayes$^\dagger$ & neighbours$^\dagger$ & tree$^\dagger$ \\
\midrule"""
DATA_SETS = r"""appendicitis & $86.6 \pm 7.1$ & $86.6 \pm 9.4$ & $\mathbf{87.6} \pm 4.9$ & $85.6 \pm 7.3$ & $85.6 \pm 7.3$ & $75.1 \pm 14.9$ \\
digits & $\mathbf{98.3} \pm 0.7$ & $97.6 \pm 1.1$ & $96.9 \pm 1.4$ & $83.4 \pm 3.2$ & $97.5 \pm 1.7$ & $84.5 \pm 2.7$ \\
ionosphere & $\mathbf{94.0} \pm 6.1$ & $92.6 \pm 6.2$ & $87.5 \pm 8.1$ & $89.2 \pm 5.7$ & $84.3 \pm 7.4$ & $90.0 \pm 4.4$ \\
pima & $77.0 \pm 4.6$ & $76.2 \pm 5.2$ & $\mathbf{77.2} \pm 4.0$ & $75.3 \pm 3.3$ & $72.7 \pm 6.1$ & $72.3 \pm 4.3$ \\
tae & $53.6 \pm 13.0$ & $\mathbf{65.5} \pm 7.6$ & $53.0 \pm 12.4$ & $53.6 \pm 9.5$ & $53.6 \pm 14.2$ & $64.9 \pm 10.0$ \\"""  # noqa: E501
BELOW = r"""\midrule
Mean & 83.0 & \textbf{83.1} & 82.4 & 78.4 & 80.1 & 77.8 \\
Mean rank & \textbf{2.28} & 2.44 & 2.53 & 4.28 & 4.58 & 4.89 \\
svm W/T/L & -- & 10/2/6 & 9/1/8 & 14/1/3 & 16/1/1 & 15/1/2 \\
Adjusted $p$ & -- & 1.000 & 1.000 & 0.010 & $<$0.001 & 0.019 \\
\bottomrule
\end{tabular}
\end{table}"""


@pytest.fixture(scope="module")
def ranking():
    return ta.compare(ta.read_scores(ROOT / "examples/data/benchmark.csv"))


def test_the_table_of_scores_is_that_of_the_specimen(ranking):
    table = ranking.to_latex().partition("\n% ")[0]
    assert table.startswith(f"{ABOVE}\n")
    assert table.endswith(f"\n{BELOW}")
    lines = table.removeprefix(f"{ABOVE}\n").removesuffix(f"\n{BELOW}").splitlines()
    assert len(lines) == 18
    assert [line for line in lines if line in DATA_SETS.splitlines()] == DATA_SETS.splitlines()


def test_the_paragraph_follows_the_table_as_a_comment(ranking):
    """So that the file can be put into a paper as it is."""
    below = ranking.to_latex().partition("\\end{table}\n")[2]
    assert below == f"% {ranking.paragraph('latex')}"
