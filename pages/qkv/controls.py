"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.app.controls import Choice

KIND = Choice("kind", ("self", "masked", "cross"))
ROLE = Choice("role", ("q", "k", "v"))
