"""Our own vocabularies: byte-pair encoding (Sennrich et al. 2016) of words, joint for both languages.

They are learned from composed text (NFC), and typed text is composed before it is split. A character that the vocabulary lacks
becomes its UTF-8 bytes, one token each.
"""

import json
import string
from collections.abc import Iterable, Sequence
from typing import Self

import tokenizers
from tokenizers import models, trainers

from viz_core.composed import composed
from viz_core.config import BOS_ID, EOS_ID, PAD_ID, UNK_ID, ModelConfig
from viz_core.errors import ConfigError
from viz_core.tokenizer.base import SPACE, Tokenizer
from viz_core.words import Merge, Token, Word, follows_blank, merge_steps

SPECIAL = {PAD_ID: "⟨pad⟩", BOS_ID: "⟨s⟩", EOS_ID: "⟨/s⟩", UNK_ID: "⟨unk⟩"}
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
ALPHABET = 400  # characters with a token of their own: enough for English and German with their signs, not for Chinese
KEYBOARD = SPACE + string.digits + string.ascii_letters + string.punctuation
"""Characters in every vocabulary. Without SPACE, a typed space would be spelt as the bytes of another character."""
FIRST_BYTE_ID = len(SPECIAL)
FIRST_TEXT_ID = FIRST_BYTE_ID + len(BYTES)


class BpeTokenizer(Tokenizer):
    """A joint vocabulary and its merges."""

    byte_ids = range(FIRST_BYTE_ID, FIRST_TEXT_ID)

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        self._backend = backend
        self._bpe = backend.model
        self._ranks: dict[tuple[str, str], int] = {}  # read when first needed
        vocab = backend.get_vocab()
        super().__init__(sorted(vocab, key=vocab.__getitem__), SPECIAL, PAD_ID)
        expected = [*SPECIAL.values(), *BYTES]
        if self.vocab[:FIRST_TEXT_ID] != expected or sorted(vocab.values()) != list(range(len(vocab))):
            raise ConfigError("the vocabulary does not start with the special tokens and the 256 bytes")

    @classmethod
    def train(cls, words: Iterable[str], vocab_size: int, alphabet: int = ALPHABET) -> Self:
        """Learns a byte-pair encoding.

        Args:
            words: every word of the corpus, led by SPACE if it follows a space.
            vocab_size: number of tokens; a small corpus may give fewer.
            alphabet: how many of the most frequent characters get a token, KEYBOARD among them; the others are spelt in bytes.
        """
        start = [*SPECIAL.values(), *BYTES]
        learner = tokenizers.Tokenizer(models.BPE())
        trainer = trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=start,
            initial_alphabet=list(KEYBOARD),
            limit_alphabet=alphabet,
            show_progress=False,
        )
        learner.train_from_iterator((composed(word).text for word in words), trainer)
        learned = learner.get_vocab()
        # The trainer's backend would match special tokens inside typed text, so that typing ⟨/s⟩ would end the sentence.
        # A fresh backend with the same vocabulary and merges knows them as ids only.
        merges = [(left, right) for left, right in json.loads(learner.to_str())["model"]["merges"]]
        bpe = models.BPE(vocab=learned, merges=merges, unk_token=SPECIAL[UNK_ID], byte_fallback=True)
        return cls(tokenizers.Tokenizer(bpe))

    @classmethod
    def from_json(cls, text: str, config: ModelConfig | None = None) -> Self:
        try:
            backend = tokenizers.Tokenizer.from_str(text)
        except Exception as error:  # the library raises bare Exception
            raise ConfigError(f"not a vocabulary: {error}") from error
        if not isinstance(backend.model, models.BPE):
            raise ConfigError(f"not a byte-pair vocabulary but {type(backend.model).__name__}")
        tokenizer = cls(backend)
        if config and (config.pad_id, config.bos_id, config.eos_id, config.unk_id) != tuple(SPECIAL):
            raise ConfigError(f"its special tokens are those of our own models, ids 0 to {UNK_ID}; config.json has others")
        return tokenizer

    def to_json(self) -> str:
        """The vocabulary and merges, in the format of the `tokenizers` library."""
        return str(self._backend.to_str())

    def encode_words(self, text: str, words: Sequence[Word]) -> list[Token]:
        tokens: list[Token] = []
        for index, word in enumerate(words):
            ids, composition = self.word_ids(word.text, follows_blank(text, word)), composed(word.text)
            for n, (i, place) in enumerate(zip(ids, self.places(ids), strict=True)):
                start, end = composition.place(*place)
                tokens.append(Token(i, self.token_text(i), index, word.start + start, word.start + end, first=n == 0))
        return tokens

    def normalized(self, text: str) -> str:
        return composed(text).text

    def letters(self, word: str, spaced: bool) -> tuple[str, ...]:
        """The start of byte-pair encoding: each character of the word, or its bytes if the vocabulary lacks it, led by SPACE."""
        signs = [SPACE] if spaced else []
        for sign in composed(word).text:
            known = sign != SPACE and self._bpe.token_to_id(sign) is not None
            signs += [sign] if known else [BYTES[byte] for byte in sign.encode()]
        return tuple(signs)

    def merges(self, word: str, spaced: bool) -> list[Merge]:
        if not self._ranks:
            learned = json.loads(self.to_json())["model"]["merges"]
            self._ranks = {(left, right): rank for rank, (left, right) in enumerate(learned)}
        return merge_steps(self.letters(word, spaced), self._ranks)

    def word_ids(self, word: str, spaced: bool) -> list[int]:
        # A typed SPACE is spelt in bytes, so that it comes back as typed and not as a space.
        head, *rest = composed(word).text.split(SPACE)
        ids = [token.id for token in self._bpe.tokenize((SPACE if spaced else "") + head)]
        for part in rest:
            ids += [FIRST_BYTE_ID + byte for byte in SPACE.encode()]
            ids += [token.id for token in self._bpe.tokenize(part)]
        return ids
