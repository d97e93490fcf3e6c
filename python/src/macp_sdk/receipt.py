"""Another name of `handover_macp.receipt`. Generated: npm run generate."""

from handover_macp.receipt import *  # noqa: F401, F403
from handover_macp.receipt import __all__ as __all__
