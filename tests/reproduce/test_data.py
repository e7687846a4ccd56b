"""The data sets of the papers: their sizes as their repository tells them, and a clear word where they are missing."""

from __future__ import annotations

import numpy as np
import pytest

from tellapart.errors import MissingExtra
from tellapart.reproduce import data

SIZES = [  # attributes, examples of label 1 and of label 0 for training, and for testing (UCI's own descriptions)
    (data.pima, 8, (268, 500), (0, 0)),
    (data.wisconsin, 9, (239, 444), (0, 0)),  # 241 and 458, less 2 and 14 incomplete ones
    (data.breast_cancer, 30, (212, 357), (0, 0)),
    (data.hepatitis, 19, (32, 123), (0, 0)),
    (data.hypothyroid, 25, (151, 3012), (0, 0)),
    (data.spect, 22, (40, 40), (15, 172)),
    (data.spectf, 44, (40, 40), (55, 214)),
    (lambda: data.spectf(corrected=True), 44, (40, 40), (15, 172)),
]


@pytest.mark.parametrize(("load", "attributes", "train", "test"), SIZES)
def test_sizes(load, attributes, train, test):
    evidence = load()
    assert evidence.X.shape == (sum(train) + sum(test), attributes)
    assert np.bincount(evidence.training, minlength=2).tolist() == [train[1], train[0]]
    assert np.bincount(evidence.testing, minlength=2).tolist() == [test[1], test[0]]
    if evidence.split is None:
        assert not sum(test)
    else:
        assert [each.size for each in evidence.split] == [sum(train), sum(test)]


def test_values_as_they_stand_in_the_files():
    assert data.pima().X[0].tolist() == [6, 148, 72, 35, 0, 33.6, 0.627, 50]
    assert data.pima().y[:3].tolist() == [1, 0, 1]
    first = data.hypothyroid().X[0]  # 72,M,f,…,y,30,y,0.60,y,15,y,1.48,y,10,n,?
    assert first[[0, 1, 13, 14, 16, 20, 23]].tolist() == [72, 0, 1, 30, 0.6, 1.48, 0]
    assert np.isnan(first[24])
    patient = data.hepatitis().X[3]  # 31,1,?,1,2,2,2,2,2,2,2,2,2,0.70,46,52,4.0,80,1
    assert patient[[0, 1, 3, 4, 13, 18]].tolist() == [31, 0, 0, 1, 0.7, 0]
    assert np.isnan(patient[2])


MISSING = [1, 1, 1, 1, 10, 11, 5, 5, 5, 5, 6, 29, 4, 16, 67]  # by attribute, as UCI tells of the hepatitis data


def test_what_is_missing_and_what_is_nominal():
    evidence = data.hepatitis()
    lacking = np.isnan(evidence.X).sum(axis=0)
    assert sorted(lacking[evidence.incomplete].tolist()) == sorted(MISSING)
    assert np.flatnonzero(evidence.nominal).tolist() == [*range(1, 13), 18]
    assert data.spect().nominal.all()
    assert not data.pima().nominal.any()
    assert not data.wisconsin().incomplete.any()


def test_the_withdrawn_test_set_repeats_the_training_set():
    """The donors' note: it "duplicates the training file", and some points are repeated."""
    evidence, corrected = data.spectf(), data.spectf(corrected=True)
    train = {tuple(row) for row in evidence.X[:80].tolist()}
    assert train <= {tuple(row) for row in evidence.X[80:].tolist()}
    assert not train & {tuple(row) for row in corrected.X[80:].tolist()}


def test_labels_can_be_exchanged():
    evidence = data.pima()
    assert (evidence.swapped().y == 1 - evidence.y).all()
    assert evidence.swapped().X is evidence.X


@pytest.mark.parametrize("load", [data.pima, data.hepatitis, data.spectf])
def test_without_the_package_it_says_what_to_install(load, monkeypatch):
    monkeypatch.setattr(data, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pip install 'tellapart\[papers\]'"):
        load()
    assert data.breast_cancer().y.size == 569  # scikit-learn's own
