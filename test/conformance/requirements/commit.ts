import { rows } from './row.js';

/** Commitment: acceptance in order (3.4), eligibility (3.5), implicit answers (3.6). */
export const commitRequirements = [
  ...rows('MACP', '3.4', {
    'commit:1:authority': 'Authority is judged first: FORBIDDEN even when the payload is unreadable.',
    'commit:2:decodes': 'An undecodable Commitment is INVALID_ENVELOPE.',
    'commit:3:fields-present': 'Commitment id, action, authority scope and reason are not blank.',
    'commit:4:mode-version': "The mode version is exactly the session's.",
    'commit:4:configuration-version': "The configuration version is exactly the session's.",
    'commit:5:policy-version': 'The policy version is empty or exactly the resolved policy id.',
    'commit:6:supersedes':
      'A supersedes reference has a session id and a sha256 commitment hash; neither is looked up.',
    'commit:7:negative-action':
      'Actions ending in rejected, failed or declined go with a negative outcome only.',
    'commit:7:positive-action':
      'Actions ending in selected, accepted, completed or approved go with a positive outcome only.',
    'commit:7:free-action': 'Any other action goes with either outcome; the endings are case-sensitive.',
    'commit:8:implicit-first': 'An implicit answer that is due is recorded before the Commitment is judged.',
    'commit:9:readiness': 'A Commitment before any offer was answered is INVALID_ENVELOPE.',
    'commit:10:policy': 'A policy that does not say yes means POLICY_DENIED with its reasons.',
    'commit:effect': 'An accepted Commitment resolves the session and is its resolution.',
  }),
  ...rows('MACP', '3.5', {
    'commit:eligible:accepted-positive': 'After an accept a positive Commitment is accepted.',
    'commit:eligible:accepted-negative': 'After an accept a negative Commitment is INVALID_ENVELOPE.',
    'commit:eligible:declined-negative': 'After declines only, a negative Commitment is accepted.',
    'commit:eligible:declined-positive': 'After declines only, a positive Commitment is INVALID_ENVELOPE.',
    'commit:eligible:pending':
      'While an offer is pending no Commitment is accepted, whatever was declined before.',
    'commit:eligible:none': 'Without any offer no Commitment is accepted.',
  }),
];

export const implicitRequirements = [
  ...rows('MACP', '3.6', {
    'implicit:off-by-default': 'Without a timeout an offer waits for its answer.',
    'implicit:due': 'An offer unanswered for the timeout, to the millisecond, is accepted implicitly.',
    'implicit:no-client-clock': 'Client timestamps have no part in the timeout.',
    'implicit:suspended-time': 'Suspended time does not count.',
    'implicit:lazily-observed':
      'The implicit answer is recorded before the next message is judged, even if that one is refused.',
    'implicit:recorded':
      'It is an envelope in the history: sender the target, marked implicit, dated at its due time.',
    'implicit:no-activity': 'It does not count as activity of the target.',
    'implicit:closes-offer': 'After it, an explicit answer to that offer is INVALID_ENVELOPE.',
    'implicit:explicit-wins': 'An explicit answer before the due time wins and nothing implicit follows.',
    'implicit:reserved-ids':
      'Client message ids starting with implicit-accept: are INVALID_ENVELOPE, case-sensitively, for any type.',
    'implicit:client-flag': 'A client accept with implicit set is INVALID_ENVELOPE.',
    'implicit:not-after-expiry': 'A session that expired before the due time gets none.',
    'implicit:not-while-suspended': 'Nothing implicit is recorded while suspended.',
    'implicit:replay': 'Replay repeats the recorded entry; it runs no timer.',
  }),
];
