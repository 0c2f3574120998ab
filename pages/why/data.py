"""The data of this page's figures."""

from pages.why.rollout import attention_rollout
from pages.why.source_words import source_words

VIEWS = (attention_rollout, source_words)
