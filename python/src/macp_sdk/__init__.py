"""Another name of `handover_macp`. Generated: npm run generate."""

from handover_macp._alias import check_alias

check_alias()

from handover_macp import *  # noqa: E402, F401, F403
from handover_macp import __all__ as __all__  # noqa: E402
