"""Decoding strategies: greedy, beam search, sampling, mask-predict."""

from viz_core.decoding.beam import BeamSettings, BeamStep, Candidate, beam_search, beam_steps, best_of_beam
from viz_core.decoding.greedy import Step, greedy, greedy_steps
from viz_core.decoding.hypothesis import Hypothesis, length_penalty, overtaken
from viz_core.decoding.sampling import FilteredDistribution, SampleStep, filtered, sample_steps
from viz_core.decoding.translate import max_steps, translate, translate_ids

__all__ = [
    "BeamSettings",
    "BeamStep",
    "Candidate",
    "FilteredDistribution",
    "Hypothesis",
    "SampleStep",
    "Step",
    "beam_search",
    "beam_steps",
    "best_of_beam",
    "filtered",
    "greedy",
    "greedy_steps",
    "length_penalty",
    "max_steps",
    "overtaken",
    "sample_steps",
    "translate",
    "translate_ids",
]
