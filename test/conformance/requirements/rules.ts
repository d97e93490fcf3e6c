import { rows } from './row.js';

/** Who may send what (3.2) and the rules of each message (3.3). */
export const ruleRequirements = [
  ...rows('MACP', '3.2', {
    'authority:start': 'The sender of the SessionStart becomes owner and belongs to the participants.',
    'authority:offer': 'An offer by a participant who is not the owner is FORBIDDEN.',
    'authority:context': 'Context by anyone but the offerer is FORBIDDEN.',
    'authority:accept': 'An accept by a participant who is not the target is FORBIDDEN.',
    'authority:decline': 'A decline by a participant who is not the target is FORBIDDEN.',
    'authority:commitment': 'A Commitment by a sender without commitment authority is FORBIDDEN.',
    'authority:other-type':
      'An unknown type is INVALID_ENVELOPE from a participant and FORBIDDEN from an outsider.',
    'authority:order:outsider-before-payload': 'An outsider is refused before the payload is decoded.',
    'authority:order:participant':
      'For an answer by a participant: decode, offer exists, sender is target, name agrees, still pending.',
  }),
  ...rows('MACP', '3.3', {
    'offer:decodes': 'An undecodable offer is INVALID_ENVELOPE.',
    'offer:id-present': 'An offer needs a handoff id.',
    'offer:target-present': 'An offer needs a target.',
    'offer:id-unused': 'A handoff id used before in the session is refused, whatever became of it.',
    'offer:target-declared': 'The target must be a declared participant.',
    'offer:target-not-sender': 'Nobody offers to himself.',
    'offer:none-pending': 'An offer while another is pending is refused.',
    'offer:none-accepted': 'An offer after an accepted one is refused.',
    'offer:ids-bytewise': 'Ids are compared byte for byte, without trimming or case folding.',
    'offer:texts-free': 'Scope and reason may be empty.',
    'offer:no-withdrawal': 'An unanswered offer stays until it is answered, timed out, cancelled or expired.',
    'context:decodes': 'Undecodable context is INVALID_ENVELOPE.',
    'context:offer-exists': 'Context for an unknown offer is INVALID_ENVELOPE.',
    'context:offerer-only': 'Context by another participant is FORBIDDEN.',
    'context:any-disposition':
      'Context is accepted for pending, accepted and declined offers alike while open.',
    'context:many-and-empty': 'Any number of contexts, empty ones included, may be attached.',
    'accept:decodes': 'An undecodable accept is INVALID_ENVELOPE.',
    'accept:offer-exists': 'An accept of an unknown offer is INVALID_ENVELOPE.',
    'accept:name-agrees': 'accepted_by is empty or the sender, else INVALID_ENVELOPE.',
    'accept:pending': 'Only a pending offer can be accepted.',
    'accept:implicit-flag': 'A client that marks its accept as implicit is refused.',
    'decline:decodes': 'An undecodable decline is INVALID_ENVELOPE.',
    'decline:offer-exists': 'A decline of an unknown offer is INVALID_ENVELOPE.',
    'decline:name-agrees': 'declined_by is empty or the sender, else INVALID_ENVELOPE.',
    'decline:pending': 'Only a pending offer can be declined.',
  }),
];
