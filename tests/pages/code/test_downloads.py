"""The CSV of the page on the code: the calls with the lines that make them, costs that add up, what a variant changes."""

from pages.code.downloads import places_csv, spreads_csv
from tests.app.test_csv_files import rows
from viz_core.analysis.variants.initialisation import Learning, Spread


def test_models_before_training() -> None:
    made = Learning({"encoder": [1.0], "decoder": [2.0, 3.0]}, {"encoder": [4.0], "decoder": [5.0, 6.0]}, 7.5)
    last = rows(places_csv({"pre": made, "post": made}))[-1]
    assert last == {"norm": "post", "stack": "decoder", "layer": "2", "gradient": "3.0", "stream": "6.0", "loss": "7.5"}
    (line,) = rows(spreads_csv({"torch": Spread(1.0, 2.0, 3.0, 4.0, 5.0)}))
    assert line == {"weights": "torch", "lookup": "1.0", "input": "2.0", "memory": "3.0", "logits": "4.0", "loss": "5.0"}
