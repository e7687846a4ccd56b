"""Elazmeh, Japkowicz and Matwin (2006): Tango's interval for the balance of two kinds of error, on twelve data sets."""

from __future__ import annotations

from ..exhibit import Paper
from .claims import claims
from .classifiers import table_5, table_6
from .interval import table_1, table_2, table_3, table_4
from .retrained import retrained

__all__ = ["PAPER"]

PAPER = Paper(
    name="elazmeh",
    cites="elazmeh2006",
    about="Tango's interval for the balance of two kinds of error, on twelve data sets.",
)

# In the order of the paper.
PAPER.exhibit("table-1", "A standard confusion matrix")(table_1)
PAPER.exhibit("table-2", "Standard evaluation metrics")(table_2)
PAPER.exhibit("table-3", "Marijuana users and matched controls, and Tango's interval")(table_3)
PAPER.exhibit("table-4", "Twelve data sets and their class distributions")(table_4)
PAPER.exhibit("table-5", "Five metrics of four classifiers on twelve data sets, and Tango's tick")(table_5)
PAPER.exhibit("table-6", "Tango's intervals of four classifiers on twelve data sets")(table_6)
PAPER.exhibit("claims", "Conclusions of the text from Tables 5 and 6")(claims)
PAPER.exhibit("retrained", "Tables 5 and 6 with the classifiers retrained on the available data sets")(retrained)
