"""Roles of attention heads, measured over a few hundred sentences.

keys        which keys each measure counts
consensus   the model's own word alignment
tally       sums over the sentences
rule        when a measure is a role, and a head in words
survey      the sentences, and the measurement batch by batch
table       what comes out
ablation_bleu  what the loss of each head costs, in log-probability and in BLEU
stored      heads.json beside the checkpoint, and its fields, checked
"""

from viz_core.analysis.roles.survey import Survey, sentences
from viz_core.analysis.roles.table import Heads, HeadTable, Measure

__all__ = ["HeadTable", "Heads", "Measure", "Survey", "sentences"]
