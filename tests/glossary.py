"""Phrases that no text for readers may contain: the left column of the glossary of VOICE.md, as regular expressions."""

import re

PHRASES = (
    r"\btold apart\b",
    r"\bnot told\b",
    r"\b(?:is|are|was|were) told\b",
    r"\btells? (?:\w+ )?apart\b",
    r"\bdisagreements?\b",
    r"\blone errors?\b",
    r"\berrs?\b",
    r"\bpays? (?:with|for)\b",
    r"\bkeeps? its (?:word|level)\b",
    r"\bholds? (?:its|their) level\b",
    r"\bits level holds\b",
    r"\bholds? the truth\b",
    r"\bleans? on\b",
    r"\bhangs? on\b",
    r"\brests? on\b",
    r"\b(?:goes?|belongs?) together\b",
    r"\bfalse alarms?\b",
    r"\bcr(?:y|ies) wolf\b",
    r"\bwhat becomes of\b",
    r"\bis none (?:that|of those)\b",
    r"\band the like\b",
    r"\bstays? honest\b",
    r"\bclaims? (?:what|too much|a little)\b",
    r"\btoo seldom\b",
    r"\bsees? a difference\b",
    r"\bon the wrong side\b",
    r"\bis asked for\b|\bwas asked for\b|\bwere asked for\b",
    r"\bwas meant\b",
    r"\bif nothing were the matter\b",
    r"\bcounts as none\b",
    r"\bnobody\b|\bwhoever\b",
    r"\bthe lab\b",
    r"\bquestion \d\b",
    r"\btrained anew\b",
    r"\blottery\b",
    r"\bthe (?:smallest|largest) p-value that so many\b",
    r"\bforbidden\b",
    r"(?<!percentage )\bpoints\b",
    r"\d %",
    r"\blooks at (?:it|them|once)\b|\bat every look\b|\bof looks at\b",
    r"\btrue differences? least often\b",
    r"\bas (?:such|well|usual), too\b",
)
GLOSSARY = re.compile("|".join(PHRASES), re.IGNORECASE)


def find_phrases(text):
    """Return the phrases of the glossary that a text contains."""
    return [match[0] for match in GLOSSARY.finditer(text)]
