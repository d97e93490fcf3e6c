import { section } from './row.js';

/** 4 Session core, 5 Commitment. */
export const sessionRows = [
  ...section('4.1', {
    'The mode is not blank.': ['§2', 'start:1:mode-present'],
    'A session id is a lowercase UUID of version 4 or 7, or 22 to 128 characters.': [
      '§3-5',
      'start:session-id:uuid',
      'start:session-id:token',
      'macp-2026:4.1:id-length',
    ],
    'This is asked at the start only.': ['§7', 'macp-2026:4.1:id-at-start-only'],
    'The mode is registered.': ['§8', 'start:3:mode-registered'],
    'The payload is there and decodes.': ['§9', 'start:4:payload-decodes'],
    'Strict modes: ttl_ms, versions, participants, max_suspend_ms.': [
      '§10-13',
      'start:5:ttl',
      'start:6:versions-present',
      'start:7:participants',
      'start:8:max-suspend',
    ],
    'mode_version is the descriptor’s; where it may be left out, that is bound.': [
      '§14-15',
      'start:9:mode-version',
      'decision:modes:extension',
    ],
    'The TTL has the same range in all modes.': ['§16', 'start:10:ttl-extension'],
    'On a used id the same message_id is a duplicate, another is refused.': {
      of: '§17-18',
      decision: '2026-11-15-duplicates-are-compared',
      otherwise: 'The identical message is a duplicate; anything else is SESSION_ALREADY_EXISTS.',
      by: ['decision:start:existing'],
    },
    'The policy: empty, unknown, of another mode; the definition is frozen.': [
      '§19-22',
      'handoff:start:policy-default',
      'start:12:policy-known',
      'start:13:policy-mode',
      'policy:bound:frozen',
    ],
    'Then the mode’s own rule, and its reserved message ids.': [
      '§23-24',
      'start:14:two-participants',
      'implicit:reserved-ids',
    ],
    'It is stored, then answered.': ['§25', 'start:17:durable'],
    'The initiator is the sender; started_at is the server’s clock.': [
      '§26-27,30',
      'handoff:owner:is-initiator',
      'macp-2026:4.1:started-at',
    ],
    'The deadline is the envelope’s timestamp, or else the clock, and ttl_ms.': {
      of: '§28,33',
      decision: '2026-11-15-client-clock-within-five-minutes',
      otherwise: 'The timestamp is first moved to within five minutes of the clock.',
      by: ['start:effect:deadline', 'decision:ttl-base'],
    },
    'A start whose deadline has passed is accepted and expires at once.': {
      of: '§33-34',
      decision: '2026-11-15-client-clock-within-five-minutes',
      otherwise: 'It is INVALID_ENVELOPE, and the text names the skew.',
      by: ['decision:start:future-deadline'],
    },
    'max_suspend_ms, or seven days, is recorded.': ['§29', 'control:suspended:cap'],
    'context_id, extensions and roots are kept; the metadata shows the keys.': [
      '§31-32',
      'handoff:start:context-and-roots',
    ],
  }),
  ...section('4.2', {
    'A used message_id is a duplicate, whatever sender or content.': {
      of: '§3,15-16',
      decision: '2026-11-15-members-first',
      otherwise:
        'It is a duplicate for the same mode, type, sender and payload, and else INVALID_ENVELOPE; before that an outsider is FORBIDDEN.',
      by: [
        'decision:duplicates:same',
        'decision:duplicates:other',
        'decision:duplicates:members',
        'decision:membership:first',
      ],
    },
    'Mode and session match.': ['§2,4', 'message:3:mode-matches'],
    'Past the deadline the session is EXPIRED and the message SESSION_NOT_OPEN.': ['§5', 'message:4:expiry'],
    'At the deadline it is in time.': ['§13', 'decision:late:strict'],
    'The session is open.': ['§6', 'message:5:open'],
    'The mode says who may send it.': ['§7', 'message:7:sender-authorised'],
    'Synthetic entries that are due come first.': ['§8-9', 'implicit:lazily-observed'],
    'Then the rules of the mode; it is stored, then answered.': [
      '§10-12',
      'message:8:mode-rules',
      'message:9:durable',
    ],
    'A rejected message does not use up its id.': ['§14', 'message:rejected:changes-nothing'],
  }),
  ...section('4.3', {
    'Accepted messages are counted by sender, without SessionStart and synthetic ones.': [
      '§2',
      'message:10:applied',
      'start:effect:activity',
      'implicit:no-activity',
    ],
  }),
  ...section('4.4', {
    'Suspend from OPEN, resume from SUSPENDED.': [
      '§2-3',
      'control:suspend:only-open',
      'control:resume:only-suspended',
    ],
    'Paused time is added to the deadline.': ['§3', 'control:suspended:deadline-stops'],
    'banked_ms is the time that was left.': ['§4', 'decision:banked-ms'],
    'Beyond the cap, or after 1024 cycles, a session expires.': [
      '§5',
      'control:suspended:cap',
      'macp-2026:4.4:cycles',
    ],
    'A suspended session past its cap expires without a message.': ['§6', 'control:suspended:cap'],
    'From SUSPENDED it goes on, expires or is cancelled, and nothing is committed.': [
      '§7-8',
      'control:cancel:open-or-suspended',
      'control:suspended:no-commit',
      'control:terminal:final',
    ],
    'Clients cannot send control envelopes.': ['§9', 'send:reserved-types'],
  }),
  ...section('4.5', {
    'A Signal with a payload has a type; Progress decodes.': [
      '§2-3',
      'send:signal:type-present',
      'send:progress:decodes',
    ],
    'Neither is stored.': ['§4', 'send:signal:not-in-history'],
    'Both are broadcast, Progress of a session too.': {
      of: '§4',
      decision: '2026-11-19-small-differences',
      otherwise:
        'Progress that names a session needs a member as its sender, and reaches members and observers.',
      by: ['decision:progress:sender', 'decision:progress:delivery'],
    },
  }),
  ...section('4.6', {
    'A session records the revision of its rules, and replay goes by it.': [
      '§2-6',
      'macp-2026:4.6:recorded',
      'macp-2026:4.6:older',
    ],
    'A newer one is refused on replay.': ['§12', 'macp-2026:4.6:newer'],
  }),
  ...section('5.1', {
    'initiator_only, any_participant, designated_role.': [
      '§1-4',
      'policy:authority:initiator-only',
      'policy:authority:any-participant',
      'policy:authority:designated-role',
      'policy:authority:designated-outsider',
    ],
    'It is judged before payload, mode and policy, in every mode.': [
      '§1',
      'commit:1:authority',
      'mode:decision:7.5:authority',
      'mode:proposal:8.4:authority',
      'mode:task:9.3:commitment:authority',
      'mode:quorum:11.3:commitment:authority',
    ],
    'Extension modes: the initiator, whatever the policy says.': [
      '§5',
      'macp-2026:5.1:extension-authority',
      'mode:multi-round:12:initiator',
    ],
  }),
  ...section('5.2', {
    'It decodes; id, action, authority scope and reason are not blank.': [
      '§1-2',
      'commit:2:decodes',
      'commit:3:fields-present',
    ],
    'The versions are the session’s; policy_version may be empty.': [
      '§3-4',
      'commit:4:mode-version',
      'commit:4:configuration-version',
      'commit:5:policy-version',
    ],
    'supersedes has a session and a hash in canonical form.': ['§5', 'commit:6:supersedes'],
    'The ending of the action fits the outcome.': [
      '§6-8',
      'commit:7:negative-action',
      'commit:7:positive-action',
      'commit:7:free-action',
    ],
  }),
  ...section('5.3', {
    'Then the mode is ready, then the policy allows it; then the session is RESOLVED.': [
      '§1-2',
      'commit:9:readiness',
      'commit:10:policy',
      'commit:effect',
    ],
  }),
  ...section('5.4', {
    'Supersession is not followed.': ['§1', 'commit:6:supersedes'],
  }),
];
