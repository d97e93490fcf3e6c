import { section } from './row.js';

/** 7 to 13: the modes. */
export const modeRows = [
  ...section('7', {
    'macp.mode.decision.v1, 1.0.0, semantic-deterministic, declared.': ['§1', 'macp-2026:7:descriptors'],
  }),
  ...section('7.1', { 'The payloads have these fields.': ['§1-6', 'macp-2026:1:fields'] }),
  ...section('7.2', {
    'The list may be empty: nobody speaks, and the session expires or is cancelled.': [
      '§2-3',
      'mode:decision:7.2',
      'mode:decision:7.2:ends',
    ],
    'The initiator need not be listed.': ['§4', 'mode:decision:7.3:listed'],
  }),
  ...section('7.3', {
    'Listed participants alone; other types are FORBIDDEN.': [
      '§2-3',
      'mode:decision:7.3',
      'mode:decision:7.3:other-type',
    ],
  }),
  ...section('7.4', {
    'Proposal: not while voting, id and option, a new id.': [
      '§3-5',
      'mode:decision:7.4:after-vote',
      'mode:decision:7.4:proposal:present',
      'mode:decision:7.4:proposal:new',
    ],
    'Evaluation: the word, the confidence, the phase, a known proposal, any number.': [
      '§6-11',
      'mode:decision:7.4:evaluation:word',
      'mode:decision:7.4:evaluation:confidence',
      'mode:decision:7.4:review-phase',
      'mode:decision:7.4:known',
      'mode:decision:7.4:evaluation:many',
    ],
    'Objection: the word, never empty; the phase; a known proposal.': [
      '§12-14',
      'mode:decision:7.4:objection:word',
      'mode:decision:7.4:review-phase',
      'mode:decision:7.4:known',
    ],
    'Vote: the word; a Proposal is there and known; one for each sender and proposal.': [
      '§15-18',
      'mode:decision:7.4:vote:word',
      'mode:decision:7.4:known',
      'mode:decision:7.4:vote:once',
    ],
    'A proposal_id is anything that is not blank.': {
      of: '§4',
      decision: 'ids of 1 to 256 bytes',
      otherwise: 'It has 1 to 256 bytes, without control characters.',
      by: ['decision:ids:introduced'],
    },
    'After the first Vote there are votes only.': ['§19', 'mode:decision:7.4:after-vote'],
    'Commitment: a Proposal; then the policy, which by default asks for no vote.': [
      '§20-22',
      'mode:decision:7.4:commitment:proposed',
      'mode:decision:7.4:commitment:no-vote-needed',
    ],
    'The phases follow one another; a payload that does not decode is refused.': [
      '§2',
      'mode:decision:7.4',
      'mode:decision:7.4:decodes',
    ],
    'The state has proposals, evaluations, objections, votes and phase.': ['§23', 'macp-2026:7:views'],
  }),
  ...section('7.5', {
    'All reasons are collected, in order.': ['§1', 'mode:decision:7.5', 'mode:decision:7.5:all-reasons'],
    'The tally is over all proposals.': ['§2-3', 'mode:decision:7.5:tally'],
    'A voter without a weight weighs nothing and counts for the quorum.': [
      '§4',
      'mode:decision:7.5:weights-missing',
    ],
    'A decline that objections authorise skips all else.': [
      '§6-7',
      'mode:decision:7.5:veto:finalize',
      'mode:decision:7.5:veto:skips',
    ],
    'Evaluations: required with a minimum, required alone, a minimum alone.': [
      '§8-11',
      'mode:decision:7.5:evaluation:minimum',
      'mode:decision:7.5:evaluation:required',
      'mode:decision:7.5:evaluation:both-outcomes',
      'mode:decision:7.5:evaluation:minimum-alone',
    ],
    'Veto: deny, hold, finalize_decline; the objectors are named.': [
      '§5,12-16',
      'mode:decision:7.5:veto:threshold',
      'mode:decision:7.5:veto:deny',
      'mode:decision:7.5:veto:hold',
      'mode:decision:7.5:veto:finalize',
      'mode:decision:7.5:veto:objectors',
    ],
    'Quorum: only if required; by count or percentage; abstainers count.': [
      '§17-18',
      'mode:decision:7.5:quorum:only-if-required',
      'mode:decision:7.5:quorum:count',
      'mode:decision:7.5:quorum:percentage',
      'mode:decision:7.5:quorum:abstainers',
    ],
    'A percentage is voters / participants * 100 in doubles.': {
      of: '§18',
      decision: '2026-11-19-small-differences',
      otherwise: 'It is also met where it is met exactly: 29 of 100 are 29 percent, which doubles deny.',
      by: ['mode:decision:7.5:quorum:percentage'],
    },
    'none, majority, supermajority, unanimous, weighted, plurality; comparisons are inclusive.': [
      '§19-27',
      'mode:decision:7.5:none',
      'mode:decision:7.5:majority',
      'mode:decision:7.5:supermajority',
      'mode:decision:7.5:unanimous',
      'mode:decision:7.5:weighted',
      'mode:decision:7.5:plurality',
      'mode:decision:7.5:inclusive',
    ],
    'Passed: a negative outcome needs the rule and a decisive reject.': [
      '§28-29',
      'mode:decision:7.5:negative:over-approval',
      'mode:decision:7.5:negative:backed',
    ],
    'Failed: a positive one is denied, a negative one needs a decisive reject.': [
      '§30-31',
      'mode:decision:7.5:majority',
      'mode:decision:7.5:negative:backed',
    ],
    'No votes: by schema version and flag; a negative one is always denied.': [
      '§32-34',
      'mode:decision:7.5:no-votes:schema-3',
      'mode:decision:7.5:no-votes:before',
      'mode:decision:7.5:no-votes:negative',
    ],
  }),
  ...section('8', {
    'macp.mode.proposal.v1, 1.0.0, semantic-deterministic, peer.': ['§1', 'macp-2026:7:descriptors'],
  }),
  ...section('8.1', { 'The payloads have these fields.': ['§2-7', 'macp-2026:1:fields'] }),
  ...section('8.2', {
    'At least one participant; listed ones alone; its author withdraws.': [
      '§2-5',
      'mode:proposal:8.2',
      'mode:proposal:8.2:participants',
      'mode:proposal:8.2:listed',
      'mode:proposal:8.2:withdraw-own',
      'mode:proposal:8.2:other-type',
    ],
  }),
  ...section('8.3', {
    Proposal: ['§2-3', 'mode:proposal:8.3', 'mode:proposal:8.3:proposal:id', 'mode:proposal:8.3:decodes'],
    CounterProposal: [
      '§4-8',
      'mode:proposal:8.3:counter:id',
      'mode:proposal:8.3:counter:known',
      'mode:proposal:8.3:counter:both-live',
      'mode:proposal:8.3:counter:max-rounds',
    ],
    Accept: ['§9-11', 'mode:proposal:8.3:accept:live', 'mode:proposal:8.3:accept:latest'],
    Reject: ['§12-14', 'mode:proposal:8.3:reject:live', 'mode:proposal:8.3:reject:terminal'],
    Withdraw: [
      '§15-17',
      'mode:proposal:8.3:withdraw:once',
      'mode:proposal:8.3:withdraw:drops',
      'mode:proposal:8.3:withdraw:keeps',
    ],
    'A proposal_id is anything that is not blank.': {
      of: '§2,4',
      decision: 'ids of 1 to 256 bytes',
      otherwise: 'It has 1 to 256 bytes, without control characters.',
      by: ['decision:ids:introduced'],
    },
    'A proposal is live or withdrawn.': ['§18', 'macp-2026:7:views'],
  }),
  ...section('8.4', {
    'The phase is computed after each message.': [
      '§1-5',
      'mode:proposal:8.4:recomputed',
      'mode:proposal:8.4:terminal-rejected',
    ],
    'all_parties, counterparty, initiator.': [
      '§6-8',
      'mode:proposal:8.4:all-parties',
      'mode:proposal:8.4:counterparty',
      'mode:proposal:8.4:initiator',
    ],
    'A Commitment needs either end, and then has either outcome.': [
      '§9',
      'mode:proposal:8.4',
      'mode:proposal:8.4:nothing',
      'mode:proposal:8.4:either-outcome',
    ],
    'More counter-proposals than allowed deny a positive outcome.': [
      '§10-11',
      'mode:proposal:8.4:criterion-not-met',
    ],
  }),
  ...section('9', {
    'macp.mode.task.v1, 1.0.0, structural-only, orchestrated.': ['§1', 'macp-2026:7:descriptors'],
  }),
  ...section('9.1', { 'The payloads have these fields.': ['§2-8', 'macp-2026:1:fields'] }),
  ...section('9.2', {
    'Somebody besides the initiator takes part; the initiator need not be listed.': [
      '§2-3',
      'mode:task:9.2',
      'mode:task:9.2:participants',
    ],
    'The initiator requests, listed participants do the rest.': [
      '§4-5',
      'mode:task:9.2:request',
      'mode:task:9.2:listed',
    ],
  }),
  ...section('9.3', {
    'One task, which every message names.': [
      '§2-3',
      'mode:task:9.3',
      'mode:task:9.3:decodes',
      'mode:task:9.3:request:once',
      'mode:task:9.3:task-id',
    ],
    TaskRequest: [
      '§4,6-7',
      'mode:task:9.3:request:id',
      'mode:task:9.3:request:assignee',
      'mode:task:9.3:request:deadline',
    ],
    'Who is eligible.': ['§8', 'mode:task:9.3:eligible'],
    'A task_id is anything that is not empty.': {
      of: '§5',
      decision: 'ids of 1 to 256 bytes',
      otherwise: 'It has 1 to 256 bytes, without control characters, and is not blank.',
      by: ['mode:task:9.3:request:id', 'decision:ids:introduced'],
    },
    'TaskAccept is possible after the report, too, once the work was given back.': {
      of: '§9-14',
      decision: '2026-11-19-nothing-left-to-take',
      otherwise: 'It is INVALID_ENVELOPE: whoever took it could report nothing.',
      by: ['mode:task:9.3:accept:reported'],
    },
    'TaskAccept, in this order.': [
      '§9-16',
      'mode:task:9.3:accept:assigned',
      'mode:task:9.3:accept:declined',
      'mode:task:9.3:accept:reassigned',
      'mode:task:9.3:assignee-field',
      'mode:task:9.3:accept:order',
    ],
    TaskReject: [
      '§17-23',
      'mode:task:9.3:reject:assignee',
      'mode:task:9.3:reject:policy',
      'mode:task:9.3:reject:clears',
      'mode:task:9.3:reject:own',
      'mode:task:9.3:report:stays',
    ],
    'TaskUpdate, TaskComplete, TaskFail.': [
      '§24-27',
      'mode:task:9.3:report:assignee',
      'mode:task:9.3:report:once',
    ],
    Commitment: [
      '§28-31',
      'mode:task:9.3:commitment:report',
      'mode:task:9.3:commitment:declined',
      'mode:task:9.3:commitment:outcome-free',
      'mode:task:9.3:commitment:output',
    ],
  }),
  ...section('10', {
    'macp.mode.handoff.v1, 1.0.0, context-frozen, delegated.': [
      '§1',
      'handoff:determinism:claimed',
      'handoff:mode:identifier',
    ],
  }),
  ...section('10.1', { 'The payloads have these fields.': ['§2-6', 'macp-2026:1:fields'] }),
  ...section('10.2', {
    'At least two participants, the initiator among them.': {
      of: '§2-4',
      decision: '2026-11-15-implicit-owner',
      otherwise: 'An initiator who is not listed is bound first, if somebody else is listed.',
      by: ['decision:implicit-owner', 'start:14:two-participants'],
    },
  }),
  ...section('10.3', {
    'Offer: the initiator. Context: who made the offer. Answers: its target.': [
      '§2-5',
      'authority:offer',
      'authority:context',
      'authority:accept',
      'authority:decline',
    ],
  }),
  ...section('10.4', {
    Offer: [
      '§2-7',
      'offer:id-present',
      'offer:target-present',
      'offer:id-unused',
      'offer:target-declared',
      'offer:target-not-sender',
      'offer:none-pending',
      'offer:none-accepted',
      'decision:reoffer',
    ],
    Context: ['§9-10', 'context:offer-exists', 'context:any-disposition', 'decision:late-context:accepted'],
    Accept: [
      '§11-16',
      'macp-2026:10.4:implicit-first',
      'accept:offer-exists',
      'accept:name-agrees',
      'accept:pending',
    ],
    Decline: ['§17', 'decline:offer-exists', 'decline:name-agrees', 'decline:pending'],
    'Message ids that begin with implicit-accept: are refused, case-sensitively, for every type.': [
      '§18',
      'implicit:reserved-ids',
    ],
    'Commitment: an offer was accepted or declined; nothing more is checked.': {
      of: '§19-23',
      decision: '2026-11-15-outcome-fits-history',
      otherwise:
        'A positive one needs an accepted offer, a negative one a declined one and none accepted; while one is open neither passes.',
      by: [
        'commit:eligible:none',
        'commit:eligible:accepted-positive',
        'commit:eligible:accepted-negative',
        'commit:eligible:declined-negative',
        'commit:eligible:declined-positive',
        'commit:eligible:pending',
      ],
    },
  }),
  ...section('10.5', {
    'implicit_accept_timeout_ms; at the Commitment only authority and version are judged.': [
      '§2-3',
      'handoff:policy:acceptance-timeout',
      'commit:10:policy',
    ],
  }),
  ...section('10.6', {
    'An offer that is open for the timeout, pauses not counted, is accepted by an entry.': [
      '§2-6',
      'implicit:due',
      'implicit:suspended-time',
      'implicit:recorded',
    ],
    'It is dated when it fell due, and appended before any later message is judged.': [
      '§6-7',
      'implicit:lazily-observed',
    ],
    'It takes a position, is streamed, and is no activity.': [
      '§8-10',
      'macp-2026:3.3:synthetic',
      'implicit:no-activity',
    ],
    'Nothing falls due while suspended.': ['§11', 'implicit:not-while-suspended'],
  }),
  ...section('11', {
    'macp.mode.quorum.v1, 1.0.0, semantic-deterministic, quorum.': ['§1', 'macp-2026:7:descriptors'],
  }),
  ...section('11.1', { 'The payloads have these fields.': ['§2-4', 'macp-2026:1:fields'] }),
  ...section('11.2', {
    'At least one participant; the initiator asks, listed ones cast ballots.': [
      '§2-5',
      'mode:quorum:11.2',
      'mode:quorum:11.2:participants',
      'mode:quorum:11.2:request',
      'mode:quorum:11.2:ballots',
    ],
  }),
  ...section('11.3', {
    ApprovalRequest: [
      '§2,4-5',
      'mode:quorum:11.3',
      'mode:quorum:11.3:decodes',
      'mode:quorum:11.3:request:once',
      'mode:quorum:11.3:request:id',
      'mode:quorum:11.3:request:range',
    ],
    'A request_id is anything that is not empty.': {
      of: '§3',
      decision: 'ids of 1 to 256 bytes',
      otherwise: 'It has 1 to 256 bytes, without control characters, and is not blank.',
      by: ['mode:quorum:11.3:request:id', 'decision:ids:introduced'],
    },
    'A ballot.': ['§6-7', 'mode:quorum:11.3:ballot:request', 'mode:quorum:11.3:ballot:once'],
    'The effective threshold.': [
      '§8-14',
      'mode:quorum:11.3:threshold:request',
      'mode:quorum:11.3:threshold:n-of-m',
      'mode:quorum:11.3:threshold:percentage',
      'mode:quorum:11.3:threshold:at-least-one',
      'mode:quorum:11.3:threshold:above',
    ],
    'Commitment: reached, or out of reach.': [
      '§15',
      'mode:quorum:11.3:commitment:request',
      'mode:quorum:11.3:commitment:reached',
    ],
    'A positive one below the threshold is denied by the policy alone: threshold_not_met.': {
      of: '§16',
      decision: 'outcome against history',
      otherwise: 'It is INVALID_ENVELOPE, under every policy.',
      by: ['mode:quorum:11.3:commitment:out-of-reach'],
    },
    'A negative one is not gated.': ['§17', 'mode:quorum:11.3:commitment:negative'],
    'An abstention uses up a ballot.': ['§18', 'mode:quorum:11.3:abstention'],
  }),
  ...section('12', {
    'Listed with the extension modes, built in, strict.': [
      '§1,4',
      'mode:multi-round:built-in',
      'mode:multi-round:12:participants',
      'macp-2026:7:descriptors',
    ],
    'Contribute: listed participants. Commitment: the initiator.': [
      '§5-6',
      'mode:multi-round:12:listed',
      'mode:multi-round:12:initiator',
    ],
    'Decoding: the vectors; an empty payload is refused.': [
      '§7-14',
      'mode:multi-round:12:decoding',
      'mode:multi-round:12:empty',
    ],
    'The JSON object with any value is read, too.': {
      of: '§8-9',
      decision: '2026-11-19-small-differences',
      otherwise: 'Not with an empty value: protobuf has no bytes for one, and an empty payload is refused.',
      by: ['mode:multi-round:12:empty'],
    },
    'Rounds, and the end of them.': [
      '§2-3,15-19',
      'mode:multi-round:12',
      'mode:multi-round:12:rounds',
      'mode:multi-round:12:converged',
    ],
    'Commitment needs it, and the checks of 5.2; there is no receipt.': [
      '§20',
      'mode:multi-round:12:commitment',
      'macp-2026:14.3:states',
    ],
    'A recorded registration of the name is ignored.': ['§21-22', 'macp-2026:12:recorded'],
  }),
  ...section('13', {
    'Registration, and what it refuses.': ['§2-4', 'decision:modes:extension'],
    'A descriptor may list any message types.': {
      of: '§3,5',
      decision: '2026-11-19-what-only-the-runtime-writes',
      otherwise: 'Not those that only the runtime writes, nor Signal and Progress.',
      by: ['macp-2026:13:runtime-types'],
    },
    'There may be any number of modes, as of policies.': {
      of: '§2',
      decision: '2026-11-19-registries-have-bounds',
      otherwise: 'A tenant has 1,000 of each, of 1 MiB and 4 MiB together.',
      by: ['macp-2026:13:bounds'],
    },
    'A session: its types, its Commitment, its version.': [
      '§4-7',
      'decision:modes:extension',
      'start:9:mode-version',
    ],
    'Promotion keeps standard names; built-in modes stay.': [
      '§8-9',
      'decision:modes:extension',
      'mode:multi-round:built-in',
    ],
    'schema_uris of built-in modes.': ['§10', 'macp-2026:13:schema-uris'],
  }),
];
