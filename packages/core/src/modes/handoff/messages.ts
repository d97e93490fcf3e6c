/** Names that Handoff Mode puts on the wire. */
export const HANDOFF_MODE = 'macp.mode.handoff.v1';
export const HANDOFF_MODE_VERSION = '1.0.0';

export const HandoffMessageType = {
  Offer: 'HandoffOffer',
  Context: 'HandoffContext',
  Accept: 'HandoffAccept',
  Decline: 'HandoffDecline',
} as const;

export const IMPLICIT_ACCEPT_PREFIX = 'implicit-accept:';
export const IMPLICIT_DECLINE_PREFIX = 'implicit-decline:';
export const AUTO_COMMIT_PREFIX = 'auto-commit:';
/** What the runtime writes when work is picked up that its owner left, and when it is taken from a silent one. */
export const STANDING_PREFIXES = {
  start: 'standing-start:',
  offer: 'standing-offer:',
  package: 'standing-package:',
} as const;
export const TAKEOVER_PREFIXES = {
  start: 'takeover-start:',
  offer: 'takeover-offer:',
  package: 'takeover-package:',
  accept: 'takeover-accept:',
  commit: 'takeover-commit:',
} as const;
export const IMPLICIT_ACCEPT_REASON = 'implicit accept (timeout)';
export const IMPLICIT_DECLINE_REASON = 'implicit decline (timeout)';
