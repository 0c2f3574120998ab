"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.app.controls import Choice, Suggestion

SHOW = Choice("show", ("logit_lens", "logit_attribution", "source_words", "alignment", "rollout"), labelled=False)
AGAINST = Suggestion("against", width=240)
OF = Choice("of", ("difference", "logit"), labelled=False)
KIND = Choice("kind", ("cross", "masked"), labelled=False)
BY = Choice("by", ("erasure_by", "head_by", "mean_by"), labelled=False)
