"""The nine questions of Dietterich's taxonomy (seed 001), by number."""

from tellapart import IndependentCounts, PairedTable, compare, find_methods
from tellapart.advice import QUESTIONS


def test_there_are_nine_and_each_is_found_by_its_number():
    assert list(QUESTIONS) == list(range(1, 10))
    assert all(number == question.number for number, question in QUESTIONS.items())


def test_each_asks_something_of_its_own_and_says_what_answers_it():
    texts = [question.asks for question in QUESTIONS.values()]
    assert len(set(texts)) == 9
    assert all(text.endswith("?") for text in texts)
    assert all(question.answered_by for question in QUESTIONS.values())


def test_odd_and_even_ask_the_same_with_much_and_with_little_data():
    """Q2 and Q4 are answered by way of Q6 and Q8 (DESIGN.md)."""
    assert "of the learner that produced it" in QUESTIONS[2].answered_by
    assert "of the learners that produced them" in QUESTIONS[4].answered_by
    assert all("without a separate test set" in QUESTIONS[number].asks for number in (2, 4, 6, 8))


def test_every_method_answers_one_of_them():
    assert {method.question for method in find_methods()} <= set(QUESTIONS)


def test_two_classifiers_are_the_third_question_and_their_learners_the_eighth():
    assert {method.question for kind in (PairedTable, IndependentCounts) for method in find_methods(evidence=kind)} == {
        3
    }
    assert "not to retraining" in compare(PairedTable(20, 25, 10, 45)).words
