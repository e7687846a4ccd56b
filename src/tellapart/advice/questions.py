"""The nine questions people ask of classifiers and learners (Dietterich's taxonomy).

Numbers are used throughout: a method registers the question it answers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One of the nine questions."""

    number: int
    asks: str
    answered_by: str


QUESTIONS = {
    question.number: question
    for question in (
        Question(
            number=1,
            asks="How accurate is this classifier, with test data to spare?",
            answered_by="a separate test set and an interval for one error rate",
        ),
        Question(
            number=2,
            asks="How accurate is this classifier, with little data?",
            answered_by="question 6, for the learner that made it",
        ),
        Question(
            number=3,
            asks="Which of two classifiers is better, with test data to spare?",
            answered_by="one test set for both, and McNemar's table",
        ),
        Question(
            number=4,
            asks="Which of two classifiers is better, with little data?",
            answered_by="question 8, for the learners that made them",
        ),
        Question(
            number=5,
            asks="How accurate is this learner at a given training size, with much data?",
            answered_by="disjoint training sets and one test set",
        ),
        Question(
            number=6,
            asks="How accurate is this learner, with little data?",
            answered_by="stratified cross-validation",
        ),
        Question(
            number=7,
            asks="Which of two learners is better at a given training size, with much data?",
            answered_by="disjoint training sets, one test set and an analysis of variance",
        ),
        Question(
            number=8,
            asks="Which of two learners is better, with little data?",
            answered_by="resampling and a test that knows its splits overlap",
        ),
        Question(
            number=9,
            asks="Which learner is better over many domains?",
            answered_by="a table of scores, data sets by learners",
        ),
    )
}
