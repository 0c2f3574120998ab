"""The data of this page's figures."""

from pages.why.alignment import alignment
from pages.why.logit_attribution import logit_sums
from pages.why.logit_lens import lens_of_steps
from pages.why.rollout import attention_rollout
from pages.why.source_words import source_words

VIEWS = (alignment, attention_rollout, lens_of_steps, logit_sums, source_words)
