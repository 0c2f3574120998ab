"""python -m viz_core import: make a checkpoint of a model that another program trained.

SOURCE is a folder with a model of the transformers library (Marian, BART, mBART), of torch.nn.Transformer, or of The Annotated
Transformer; docs/import.md says which files each needs.
"""

import argparse
import sys
from functools import partial
from typing import Any

from viz_core.errors import ConfigError, ImportFailed, VizError, lacks_memory
from viz_core.files import ARCHIVES, ARRAYS, path, require_plain_name


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("import", help="make a checkpoint of a model of another program", description=__doc__)
    parser.add_argument("source", type=path, metavar="SOURCE", help="folder of the model")
    parser.add_argument("--out", type=path, required=True, help="folder of the new checkpoint, such as checkpoints/opus-en-de")
    parser.add_argument("--languages", default="", help="codes of source and target, such as en,de (default: what the folder says)")
    parser.add_argument("--format", help="hugging-face, torch or annotated (default: recognized by its files)")
    parser.add_argument("--max-len", type=int, default=128, help="positions to keep, at most (default: %(default)s)")
    parser.add_argument("--half", action="store_true", help="store float16: half as large, and no longer exactly the same numbers")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Read and check the model, and write it only if everything is right."""
    from viz_core.importing import FORMATS, Options, read_model
    from viz_core.importing.write import save
    from viz_core.weights import MAX_POSITIONS

    languages = [code.strip() for code in options.languages.split(",")] if options.languages else []
    if options.languages and (len(languages) != 2 or "" in languages):
        raise VizError(f"--languages is {options.languages!r}, expected two codes such as en,de")
    if options.format not in (None, *FORMATS):
        raise VizError(f"--format is {options.format!r}, expected {', '.join(FORMATS)}")
    if not 4 <= options.max_len <= MAX_POSITIONS:
        raise VizError(f"--max-len is {options.max_len:,}, expected 4 to {MAX_POSITIONS:,}")
    require_plain_name(options.out, "a folder", ARCHIVES, ARRAYS)
    if options.out.exists() and not (options.out.is_dir() and not any(options.out.iterdir())):
        raise VizError(f"--out {options.out}: there is something already, expected a new folder")
    source_language, target_language = languages or (None, None)
    wanted = Options(source_language, target_language, options.max_len)
    try:
        imported = read_model(options.source, wanted, options.format)
    except (ConfigError, OSError) as error:
        raise ImportFailed(f"{options.source}: {error}") from error
    except VizError:
        raise
    except Exception as error:
        if lacks_memory(error):
            size = sum(file.stat().st_size for file in options.source.iterdir() if file.is_file())
            need = f"its files have {size:,} bytes, and an import takes 0.3 GB and about three times as much"
            raise ImportFailed(f"{options.source}: there is not enough memory to read it; {need}") from error
        # A file damaged in an unforeseen way.
        raise ImportFailed(f"{options.source}: cannot be imported ({type(error).__name__}: {error})".splitlines()[0]) from error
    try:
        checkpoint = save(imported, options.out, str(options.source), half=options.half, tell=partial(print, file=sys.stderr))
    except OSError as error:
        raise VizError(f"cannot write {options.out}: {error.strerror or error}") from error
    listed = f"the app lists it as {checkpoint.name!r} if it lies in checkpoints/, or in the folder of app --checkpoints"
    print(f"{checkpoint!r}\nin {options.out}; {listed}", file=sys.stderr)
