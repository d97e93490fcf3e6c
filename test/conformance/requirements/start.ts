import { rows } from './row.js';

/** SessionStart: validation in order, then what an accepted one binds. */
export const startRequirements = [
  ...rows('MACP', '2.3', {
    'start:session-id:uuid': 'A UUID session id is lowercase, hyphenated and of version 4 or 7.',
    'start:session-id:token': 'Any other session id has at least 22 characters of the base64url alphabet.',
  }),
  ...rows('MACP', '2.4', {
    'start:1:mode-present': 'A blank mode is INVALID_ENVELOPE.',
    'start:2:session-id': 'A session id outside the policy is INVALID_SESSION_ID.',
    'start:3:mode-registered': 'A mode that is not served is MODE_NOT_SUPPORTED.',
    'start:4:payload-decodes': 'An empty or undecodable payload is INVALID_ENVELOPE.',
    'start:5:ttl': 'A ttl outside 1 ms to 24 h is INVALID_ENVELOPE.',
    'start:6:versions-present': 'Blank mode or configuration versions are INVALID_ENVELOPE.',
    'start:7:participants': 'Participants are 1 to 1000, none blank, none twice (after trimming).',
    'start:7:participants-verbatim':
      'Participants are bound exactly as written; names with a blank too many are refused, not trimmed.',
    'start:8:max-suspend': 'A negative max_suspend_ms is INVALID_ENVELOPE.',
    'start:9:mode-version': 'A mode version other than the registered one is INVALID_ENVELOPE.',
    'start:10:ttl-extension': 'Extension modes hold to the same ttl range.',
    'start:11:known-id':
      'A known session id answers duplicate for the same start, SESSION_ALREADY_EXISTS for another.',
    'start:12:policy-known': 'A policy that is not registered is UNKNOWN_POLICY_VERSION.',
    'start:13:policy-mode': 'A policy for another mode is INVALID_POLICY_DEFINITION; one for * fits all.',
    'start:14:two-participants': 'A handoff needs the owner and at least one other participant.',
    'start:15:race': 'Of two simultaneous starts of one id exactly one wins.',
    'start:16:open-sessions': 'An identity at its limit of open sessions gets RATE_LIMITED.',
    'start:17:durable': 'A start that could not be stored is INTERNAL_ERROR and leaves no session.',
    'start:effect:open':
      'An accepted start leaves the session open with its SessionStart as the first entry.',
    'start:effect:deadline':
      'The deadline is the client timestamp plus ttl, or the acceptance clock plus ttl without one.',
    'start:effect:resolved-policy': 'The session shows the policy id that was resolved.',
    'start:effect:activity': 'The SessionStart does not count as activity of its sender.',
  }),
];
