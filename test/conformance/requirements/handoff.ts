import { rows } from './row.js';

const RFC = 'RFC-MACP-0010';

/** RFC-MACP-0010, section by section. */
export const handoffRequirements = [
  ...rows(RFC, '2', {
    'handoff:mode:identifier':
      'Handoff sessions are started and addressed under the id macp.mode.handoff.v1.',
    'handoff:mode:delegated': 'One owner transfers authority to one named recipient; nobody else moves it.',
    'handoff:owner:is-initiator':
      'Whoever sent the accepted SessionStart is the owner of the responsibility.',
    'handoff:commit:owner-by-default': 'Without a policy that says otherwise only the owner may commit.',
    'handoff:commit:policy-delegated':
      'A policy may give the right to commit to somebody other than the owner.',
  }),
  ...rows(RFC, '2.1', {
    'handoff:matrix:offer': 'Only the owner may offer.',
    'handoff:matrix:context': 'Only the owner may attach context.',
    'handoff:matrix:accept': 'Only the target of the referenced offer may accept it.',
    'handoff:matrix:decline': 'Only the target of the referenced offer may decline it.',
    'handoff:matrix:commitment': 'Only the owner, or whom the policy designates, may commit.',
    'handoff:matrix:rejects-unauthorized':
      'A message from a sender outside the matrix is refused and changes nothing.',
    'handoff:context:before-answer':
      'Context sent before the answer is attached to its offer and counts for the answer.',
    'handoff:context:late-permitted':
      'Context sent after the answer is still accepted while the session is open.',
    'handoff:context:late-not-input':
      'Late context documents only: it is no part of what the target decided on.',
  }),
  ...rows(RFC, '3', {
    'handoff:start:participants': 'A session binds the owner and the eligible targets as its participants.',
    'handoff:start:mode-version': 'A session binds a version of the handoff semantics.',
    'handoff:start:configuration-version': 'A session binds the version of its transfer profile.',
    'handoff:start:policy-version': 'A session binds the governance policy that it names.',
    'handoff:start:policy-default': 'An empty policy version binds policy.default.',
    'handoff:start:ttl': 'A session binds a deadline for the transfer.',
    'handoff:start:context-and-roots':
      'Context and roots given at the start are bound with the session and kept for replay.',
  }),
  ...rows(RFC, '4', {
    'handoff:types:closed':
      'The mode knows offer, context, accept, decline and Commitment; any other type is refused.',
  }),
  ...rows(RFC, '5', {
    'handoff:id:one-offer': 'A handoff id names one offer for ever; it cannot be offered a second time.',
    'handoff:context:existing-offer': 'Context must name an offer that exists.',
    'handoff:accept:existing-offer': 'An accept must name an offer that exists.',
    'handoff:decline:existing-offer': 'A decline must name an offer that exists.',
    'handoff:accept:target-only': 'An accept from anyone but the target of its offer is refused.',
    'handoff:decline:target-only': 'A decline from anyone but the target of its offer is refused.',
    'handoff:target:immutable': 'The target of an accepted-into-history offer never changes.',
    'handoff:reoffer:new-id': 'After a decline the next offer needs an id of its own.',
    'handoff:reoffer:different-target': 'After a decline, or silence, the next offer goes to somebody else.',
    'handoff:accept:once': 'An accepted offer cannot be accepted again.',
    'handoff:offers:sequential':
      'A session may hold several offers, one after another, to different targets.',
    'handoff:offers:one-outstanding': 'No second offer while one is unanswered.',
    'handoff:offers:none-after-accept': 'No further offer once one is accepted.',
    'handoff:commit:only-one': 'One Commitment resolves the session; there is no second one.',
  }),
  ...rows(RFC, '6', {
    'handoff:resolve:only-by-commitment':
      'Nothing but an accepted, authorised Commitment resolves the session.',
    'handoff:commit:positive-explicit':
      'A positive Commitment may say handoff.accepted and name the new holder in its reason; both are kept.',
    'handoff:commit:negative-allowed': 'A declined outcome may be committed as a negative one.',
    'handoff:commit:no-target':
      'Where policy asks for it, a negative Commitment may record that there was no target.',
    'handoff:commit:outcome-explicit': 'Every Commitment states whether its outcome is positive.',
  }),
  ...rows(RFC, '6.1', {
    'handoff:policy:acceptance-timeout': 'A policy may govern how long an offer waits for its answer.',
    'handoff:policy:commitment-authority': 'A policy may govern who commits.',
    'handoff:policy:rule-schema': 'The rules of a handoff policy follow the published rule schema.',
  }),
  ...rows(RFC, '7', {
    'handoff:determinism:claimed': 'The mode is described as context-frozen.',
    'handoff:determinism:frozen-context':
      'Replay with the context, scope and roots bound at the start gives the same session.',
  }),
  ...rows(RFC, '8', {
    'handoff:security:authenticate-owner':
      'The owner is authenticated: a claimed name without its credential is refused.',
    'handoff:security:authenticate-target': 'The target is authenticated: nobody answers in its name.',
    'handoff:security:protect-context':
      'Context is readable by members and observers only and appears in no log, metric or error.',
    'handoff:security:commit-authority': 'Only authorised actors bind the final transfer.',
    'handoff:security:no-transfer-confusion':
      'Context can only be attached to an offer of its own session that exists.',
    'handoff:security:auditable-history':
      'The accepted history stays readable, whole and in order, after the session ended.',
  }),
];
