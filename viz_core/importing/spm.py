"""Reads a SentencePiece model (`source.spm`), a protocol buffer after sentencepiece_model.proto.

ModelProto       1 pieces (SentencePiece), 2 trainer_spec, 3 normalizer_spec
SentencePiece    1 piece, 2 score, 3 type
TrainerSpec      3 model_type, 24 treat_whitespace_as_suffix, 35 byte_fallback
NormalizerSpec   2 precompiled_charsmap, 3 add_dummy_prefix, 4 remove_extra_whitespaces, 5 escape_whitespaces
"""

import struct

from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from viz_core.errors import ImportFailed
from viz_core.tokenizer.sentencepiece import Pieces

NORMAL, USER_DEFINED, BYTE = 1, 4, 6
UNIGRAM = 1
FLOAT = 5  # wire type
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
        fields = _fields(content)
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
    except (DecodeError, ValueError, struct.error, TypeError) as error:
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
    message = next((value for n, value in fields if n == number), b"")
    if not isinstance(message, bytes):
        raise ValueError(f"field {number} is no message")
    return message


def _fields(content: bytes) -> list[tuple[int, Value]]:
    """Number and value of each field of a message; a 32-bit field is a float."""
    message = Empty()  # treats all fields as unknown, and keeps them
    message.ParseFromString(content)
    return [
        (field.field_number, struct.unpack("<f", struct.pack("<I", field.data))[0] if field.wire_type == FLOAT else field.data)
        for field in UnknownFieldSet(message)
    ]
