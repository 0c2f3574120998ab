"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice

SHOW = Choice("show", ("roles", "ablation", "norm_weighted", "flow", "neurons", "head_view", "model_view"), labelled=False)
KIND = Choice("kind", ("cross", "masked", "self"), labelled=False)
BY = Choice("by", ("rollout", "max_flow", "raw"), labelled=False)
OF = Choice("of", ("sentence", "many", "bleu"), labelled=False)
WHICH = Choice("which", ("this_head", "all_heads"), labelled=False)
