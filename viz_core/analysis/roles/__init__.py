"""Roles of attention heads, measured over a few hundred sentences.

keys        the keys that each measure counts, and the model's own word alignment
tally       sums over the sentences
rule        the rule that turns measures into a role, and a head in words
survey      the sentences, and the measurement batch by batch
table       the results, stored beside the checkpoint as heads.json
importance  the cost of removing each head, in log-probability and in BLEU
"""

from viz_core.analysis.roles.survey import measured, sentences
from viz_core.analysis.roles.table import Heads, HeadTable, Measure

__all__ = ["HeadTable", "Heads", "Measure", "measured", "sentences"]
