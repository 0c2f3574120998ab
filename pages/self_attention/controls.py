"""The controls of this page: none but those of every attention."""


def walks_source() -> bool:
    return True
