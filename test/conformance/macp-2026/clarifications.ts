import { section } from './row.js';

/** 0 Clarifications, which win over the sections that they are about. */
export const clarificationRows = [
  ...section('0', {
    'A policy is judged under its schema version, which the session has.': [
      '§3',
      'mode:decision:7.5:no-votes:schema-3',
      'mode:decision:7.5:no-votes:before',
    ],
    'rev becomes 3 with ids of up to 128 bytes.': {
      of: '§5',
      decision: '2026-11-19-nothing-left-to-take',
      otherwise: 'It has gone on to 5 since, for rules that came later; each session keeps its own.',
      by: ['macp-2026:4.1:id-length', 'macp-2026:4.6:recorded', 'macp-2026:4.6:older'],
    },
    'Registrations under older keys replay as they were.': ['§6', 'macp-2026:0:older-keys'],
    'Quorum: a positive Commitment needs the threshold, under every policy.': [
      '§7',
      'mode:quorum:11.3:commitment:out-of-reach',
    ],
    'Multi-round: facts hold a digest, and the pages say that it can be guessed.': [
      '§8-9',
      'macp-2026:0:digest',
    ],
    'For * the keys of other modes are known.': ['§10', 'macp-2026:6:any-mode'],
    'policy.default freezes no rules and is shown in full.': ['§11', 'macp-2026:6:default-shown'],
    'The three profiles are built in.': ['§12', 'macp-2026:6:std'],
    'x-handover.rules, for Handoff and * only.': ['§13', 'macp-2026:6:vendor-keys'],
    'The first receipt is the only one.': ['§14', 'macp-2026:14.3:same-bytes'],
    'Other modes than Handoff have macp-receipt/1 only.': {
      of: '§15-16',
      decision: '2026-11-19-small-differences',
      otherwise:
        'Every session that has ended has ours, too; of an offer and of its answer it speaks only after a handoff.',
      by: ['macp-2026:0:own-receipt'],
    },
    'The ordinal is the place without controls, on the older route of events, too.': [
      '§17-19',
      'macp-2026:3.3:ordinals',
      'decision:http:events',
    ],
  }),
];
