"""What each head of a checkpoint does, measured over a few hundred sentences.

corpus      the sentences, and what every attention does with them
keys        which keys each measure counts
consensus   the model's own word alignment
tally       sums over the sentences
rule        when a measure is a role
survey      all of it, batch by batch
table       what comes out
worth       what the loss of each head costs, in log-probability and in BLEU
described   a head in plain words
stored      heads.json beside the checkpoint, and its fields, checked
"""

from viz_core.analysis.roles.survey import Survey, sentences
from viz_core.analysis.roles.table import Heads, HeadTable, Measure

__all__ = ["HeadTable", "Heads", "Measure", "Survey", "sentences"]
