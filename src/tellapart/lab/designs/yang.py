"""The two designs of Yang (2006): one useless predictor, and a discriminant against a support vector machine."""

from __future__ import annotations

from ...errors import import_extra
from ..inducers.batched import Discriminant
from ..inducers.estimator import Estimator
from ..populations.normals import LogisticModel, NormalClasses
from .learner_populations import Learners


def yang_predictors(examples: int = 100, plan: str = "100x(0.3)") -> Learners:
    """Return Yang's (2006) first design: discriminants on two predictors, and on these and a useless one.

    Two of five examples are of one class, exactly so in every sample; the classes are 0.4 and 0.3 standard deviations
    apart in the two predictors that tell something.

    Parameters
    ----------
    examples, plan
        The number of examples, and the splits: in Tables 1 to 3, a hundred random splits.

    Examples
    --------
    >>> design = yang_predictors(300, "100x(0.3)")
    >>> bool(design.truth("difference") < 0)  # the third predictor harms
    True
    """
    population = NormalClasses(means_0=(0.4, 0.3, 0.0), means_1=(0.0, 0.0, 0.0), share_1=0.4, fixed=True)
    return Learners(population, Discriminant(attributes=(0, 1)), Discriminant(), examples, plan)


def yang_logistic(examples: int = 100, plan: str = "200x(0.25)") -> Learners:
    """Return Yang's (2006) second design: a discriminant against a support vector machine, on a logistic model.

    Parameters
    ----------
    examples, plan
        The number of examples, and the splits: in Table 4, two hundred random splits.

    Examples
    --------
    >>> yang_logistic().b.name
    'SVM'
    """
    population = LogisticModel(intercept=1.0, coefficients=(0.2, 0.2, 3.0))
    scaler = import_extra("sklearn.preprocessing", "learn").StandardScaler()
    machine = import_extra("sklearn.svm", "learn").SVC(C=1.0, gamma=1 / 3)
    scaled = import_extra("sklearn.pipeline", "learn").make_pipeline(scaler, machine)  # scaled by the training set
    return Learners(population, Discriminant(), Estimator(scaled, called="SVM"), examples, plan)
