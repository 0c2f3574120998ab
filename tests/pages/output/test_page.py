"""The page Output with an edited model, whose logits may be so large that e^z overflows."""

from __future__ import annotations

import re

from tests.pages.test_all_pages import opened, words


def test_e_to_a_logit_in_the_billions_is_written_as_a_power_of_ten() -> None:
    text, target = "The cat is sleeping on the sofa.", "Die Katze schläft auf dem Sofa."
    app = opened("pages/output/page.py", text=text, target=target, edits="no_layer_norm")
    assert not app.error
    shown = words(app)
    assert re.search(r"\\frac\{\d\.\d+\}\{\d\.\d\d·10[⁰¹²³⁴⁵⁶⁷⁸⁹]{7,}\}", shown)  # e^z and the sum of all
    assert re.search(r"/\d+} = \d\.\d\d·10[⁰¹²³⁴⁵⁶⁷⁸⁹]{7,}\$", shown)  # the perplexity of the target
