"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.params import Choice, Item, Number, OneOf, Slider, Stops
from viz_core.training.scheduled import DECAYS

SHOW = Choice("show", ("live", "loss", "gradient", "tuning", "schedule", "shipped", "snapshots", "guided"), labelled=False)

# Live.
TASK = Choice("task", ("reverse", "copy", "sort"))
LAYERS = OneOf("layers", (1, 2, 3), 1, width=90)
HEADS = OneOf("heads", (1, 2, 4, 8), 4, width=90)
D_MODEL = OneOf("d_model", (32, 64), 64, width=100)
RATE = OneOf("rate", ("0.1", "0.3", "1", "3", "10", "100"), "1", width=140)
WARMUP = OneOf("warmup", (1, 20, 50, 100, 200, 400, 1000), 100, width=140)
SMOOTHING = OneOf("smoothing", ("0", "0.1", "0.3", "0.6"), "0", width=130)
NORM = OneOf("norm", ("pre", "post"), "pre", width=130)
DECAY = OneOf("decay", DECAYS, "off", width=175)
UP_TO = OneOf("upto", (25, 50, 75, 100), 50, width=115)
GUIDANCE = OneOf("guide", ("0", "0.3", "1", "3", "10"), "0", width=115)
PART = Item("part", first=0)
SCRUB = Stops("scrub", labelled=False, width=420)

# The loss of the sentence.
OWN = Slider("own", width=200)
EPSILON = Slider("epsilon", width=200)
LOSS_FIRST = Choice("first", ("positions", "target"), labelled=False)
SEED = Number("seed", 0, 999, 0, typed=True, width=110)

# The gradient.
KIND = Choice("kind", ("cross", "masked", "self"))
MATRIX = OneOf("matrix", ("w_q", "w_k", "w_v", "w_o", "w_1", "w_2"), "w_v", width=220)
ETA = OneOf("eta", ("1", "10", "100", "1000"), "100", width=150)

# Guided attention.
BESIDE = Choice("beside", ("by_penalty", "by_paid"), labelled=False)
WIDTH = Slider("width", width=170)

# Fine-tuning.
PAIRS = Choice("pairs", ("ours", "yours"), labelled=False)
TUNING_RATE = OneOf("lr", ("0.00005", "0.0002", "0.001", "0.01", "0.1"), "0.0002", width=190)
UPDATED = OneOf("updated", ("whole", "decoder", "embeddings"), "whole", width=190)
MIX = OneOf("mix", ("alone", "mixed"), "alone", width=390)
TUNING_FIRST = Choice("first", ("held_out", "everyday", "curves"), labelled=False)

# The schedule.
WHICH = Choice("which", ("over_steps", "over_probability"), labelled=False)
DIM = Slider("dim", width=230)
WARM = Slider("warm", width=230)
