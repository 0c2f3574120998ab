"""The data of this page's figures."""

from pages.why.alignment import alignment
from pages.why.rollout import attention_rollout
from pages.why.source_words import source_words

VIEWS = (alignment, attention_rollout, source_words)
