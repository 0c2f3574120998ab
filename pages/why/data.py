"""The data of this page's figures."""

from pages.why.rollout import attention_rollout

VIEWS = (attention_rollout,)
