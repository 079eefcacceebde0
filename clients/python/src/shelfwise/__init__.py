"""A client of the Shelfwise API."""

from .client import Client
from .errors import ApiError, Canceled, NoAnswerError, ShelfwiseError, TimedOutError
from .operation import Answer

__all__ = [
    "Answer",
    "ApiError",
    "Canceled",
    "Client",
    "NoAnswerError",
    "ShelfwiseError",
    "TimedOutError",
]
__version__ = "0.1.0"
