"""Decision receipts (macp-receipt/1): what a resolved session committed to, checked without a server.

Checking a signature needs the package `cryptography`: `pip install "handover-macp-sdk[receipts]"`. All else does not.
"""

from .records import AttestationCheck, DecisionReceipt, ReceiptKeySet, ReceiptVerification
from .verify import verify_receipt

__all__ = [
    "AttestationCheck",
    "DecisionReceipt",
    "ReceiptKeySet",
    "ReceiptVerification",
    "verify_receipt",
]
