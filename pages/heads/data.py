"""The data that this page's figures fetch."""

from pages.heads.attention_flow import through_layers
from pages.heads.measured import head_ablation, head_roles
from pages.heads.norm_weighted import norm_weighted_maps

VIEWS = (through_layers, norm_weighted_maps, head_roles, head_ablation)
