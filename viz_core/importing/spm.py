"""The file of a SentencePiece model (`source.spm`), a protocol buffer, without its library: sentencepiece_model.proto.

ModelProto       1 pieces (SentencePiece), 2 trainer_spec, 3 normalizer_spec
SentencePiece    1 piece, 2 score, 3 type
TrainerSpec      3 model_type, 24 treat_whitespace_as_suffix, 35 byte_fallback
NormalizerSpec   2 precompiled_charsmap, 3 add_dummy_prefix, 4 remove_extra_whitespaces, 5 escape_whitespaces
"""

import struct
from collections.abc import Iterator

from viz_core.errors import ImportFailed
from viz_core.tokenizer.sentencepiece import Pieces

NORMAL, USER_DEFINED, BYTE = 1, 4, 6
UNIGRAM = 1
KINDS = {2: "byte-pair encoding", 3: "words", 4: "characters"}

Value = int | float | bytes


def read_pieces(content: bytes, name: str) -> Pieces:
    """The pieces and the normalization of a unigram model.

    Args:
        name: of the file, for error messages.

    Raises:
        ImportFailed: the file is damaged, or of a kind that is not read here.
    """
    try:
        fields = list(_fields(content))
        scores = {}
        for number, value in fields:
            if number == 1 and isinstance(value, bytes):
                piece = dict(_fields(value))
                kind = piece.get(3, NORMAL)
                if kind in (USER_DEFINED, BYTE):
                    what = "a byte" if kind == BYTE else "user-defined"
                    raise ImportFailed(f"{name}: piece {_text(piece)!r} is {what}; only pieces with a score are read")
                if kind == NORMAL:
                    scores[_text(piece)] = float(piece.get(2, 0.0))
        trainer, normalizer = (dict(_fields(value)) for value in (_message(fields, 2), _message(fields, 3)))
        charsmap = normalizer.get(2, b"")
    except (ValueError, IndexError, struct.error, TypeError) as error:
        raise ImportFailed(f"{name}: not a SentencePiece model ({error})") from error
    if (model := trainer.get(3, UNIGRAM)) != UNIGRAM:
        raise ImportFailed(f"{name}: a SentencePiece model of {KINDS.get(int(model), f'kind {model!r}')}, expected a unigram model")
    if trainer.get(24) or not normalizer.get(5, 1):
        raise ImportFailed(f"{name}: blanks are marked at the end of words or not at all, expected at their start")
    if not scores or not isinstance(charsmap, bytes):
        raise ImportFailed(f"{name}: a SentencePiece model without pieces")
    return Pieces(scores, charsmap, bool(normalizer.get(3, 1)), bool(normalizer.get(4, 1)))


def _text(piece: dict[int, Value]) -> str:
    value = piece.get(1, b"")
    if not isinstance(value, bytes):
        raise ValueError("a piece without text")
    return value.decode()


def _message(fields: list[tuple[int, Value]], number: int) -> bytes:
    found = next((value for n, value in fields if n == number), b"")
    if not isinstance(found, bytes):
        raise ValueError(f"field {number} is no message")
    return found


def _fields(content: bytes) -> Iterator[tuple[int, Value]]:
    """Number and value of each field of a message."""
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(content, at)
            yield number, value
        elif wire == 5:
            yield number, struct.unpack_from("<f", content, at)[0]
            at += 4
        elif wire == 1:
            at += 8
        elif wire == 2:
            length, at = _varint(content, at)
            if at + length > len(content):
                raise ValueError(f"ends in the middle of field {number}")
            yield number, content[at : at + length]
            at += length
        else:
            raise ValueError(f"field {number} has the wire type {wire}")


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("a number that is too long")
