"""Roles of attention heads, measured over a few hundred sentences.

keys        which keys each measure counts, and the model's own word alignment
tally       sums over the sentences
rule        when a measure is a role, and a head in words
survey      the sentences, and the measurement batch by batch
table       what comes out, and heads.json that stores it beside the checkpoint
importance  what removing each head costs, in log-probability and in BLEU
"""

from viz_core.analysis.roles.survey import measured, sentences
from viz_core.analysis.roles.table import Heads, HeadTable, Measure

__all__ = ["HeadTable", "Heads", "Measure", "measured", "sentences"]
