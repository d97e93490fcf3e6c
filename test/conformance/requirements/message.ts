import { rows } from './row.js';

/** A message within a session, in the order of the checks (as the decisions re-order them). */
export const messageRequirements = [
  ...rows('MACP', '2.5', {
    'message:1:session-known': 'A message to an unknown session is SESSION_NOT_FOUND.',
    'message:2:duplicate':
      'A repeated message is acknowledged as duplicate with the current state, terminal or not.',
    'message:3:mode-matches': "A mode other than the session's is INVALID_ENVELOPE, whatever the state.",
    'message:4:expiry': 'Past the deadline the session is EXPIRED and the message SESSION_NOT_OPEN.',
    'message:5:open': 'Suspended and terminal sessions answer SESSION_NOT_OPEN.',
    'message:6:mode-still-registered': 'A mode that was unregistered meanwhile is MODE_NOT_SUPPORTED.',
    'message:7:sender-authorised':
      'A sender without authority for the type gets FORBIDDEN before its payload is read.',
    'message:8:mode-rules': 'The mode judges the message by its own rules.',
    'message:9:durable':
      'A message that could not be stored is INTERNAL_ERROR and may be sent again under its id.',
    'message:10:applied': 'An accepted message counts as activity of its sender and changes the mode state.',
    'message:11:published': 'Accepted envelopes reach subscribers in the order of acceptance.',
    'message:rejected:changes-nothing': 'A refused message changes nothing and does not use up its id.',
    'message:terminal:first-wins': 'The first terminal message wins; all later ones are SESSION_NOT_OPEN.',
  }),
];

/** State machine and control calls. */
export const controlRequirements = [
  ...rows('MACP', '2.7', {
    'control:suspend:only-open': 'Only an open session can be suspended.',
    'control:resume:only-suspended': 'Only a suspended session can be resumed.',
    'control:cancel:open-or-suspended': 'Open and suspended sessions can be cancelled.',
    'control:terminal:final': 'Resolved, expired and cancelled sessions never change again.',
    'control:suspended:no-commit': 'A suspended session cannot be resolved.',
    'control:suspended:deadline-stops':
      'The deadline does not run while suspended; the remaining time restarts at resume.',
    'control:suspended:cap':
      'Suspended time above the cap, summed over all suspensions, expires the session.',
  }),
  ...rows('MACP', '2.8', {
    'control:ack:rejected': 'A refused request answers with state UNSPECIFIED and its code.',
    'control:cancel:idempotent': 'Cancelling a terminal session is ok, shows its state and records nothing.',
  }),
  ...rows('MACP', '3.7', {
    'control:authority':
      'The initiator, and whoever may commit, may cancel, suspend and resume; others PERMISSION_DENIED.',
  }),
  ...rows('MACP', '5.3', {
    'control:unknown-session': 'A control call or a read of an unknown session is NOT_FOUND.',
    'control:unauthenticated': 'A control call or a read without a credential is UNAUTHENTICATED.',
    'control:get:members':
      'Initiator, participants and observers may read a session; others PERMISSION_DENIED.',
  }),
];
