import { section } from './row.js';

/** 21 What the page asks of this server, most valuable first. */
export const checklistRows = [
  ...section('21', {
    '1 Policies: schema_version 3, notes, the union for *, policy.std., the prefix, domains.': [
      '§2-8',
      'policy:5:schema-version',
      'macp-2026:6:notes',
      'macp-2026:6:any-mode',
      'macp-2026:6:std',
      'macp-2026:2:definition-prefix',
      'macp-2026:6:domains',
    ],
    '2 The code trailer, the six new codes, denials, four statuses.': [
      '§9-12',
      'macp-2026:2:code-trailer',
      'macp-2026:2:statuses',
      'macp-2026:2:denials',
    ],
    '3 WatchPolicies behind authentication.': ['§13', 'macp-2026:1:watches'],
    '4 Receipts: two calls, the capability, the document.': [
      '§14',
      'macp-2026:14.2:document',
      'macp-2026:14.4:jwks',
      'macp-2026:3.1:receipts',
    ],
    '5 Five more modes.': ['§15', 'decision:modes:served', 'macp-2026:7:descriptors'],
    '6 The HTTP binding.': ['§16', 'macp-2026:17.1:path', 'macp-2026:16:payload'],
    '7 Controls without ordinals, and a way of our own to see them.': [
      '§17',
      'macp-2026:3.3:ordinals',
      'macp-2026:3.3:controls-on-request',
    ],
    '8 WhatIfReplay, sender_authenticated.': [
      '§18-19',
      'macp-2026:15:outcomes',
      'macp-2026:3.6:sender-authenticated',
    ],
    '10 SDKs: macp_code, denials, capabilities, receipts, what-if, five sessions and projections.': [
      '§23',
      'macp-2026:19:errors',
      'macp-2026:19:helpers',
      'macp-2026:19:projections',
      'macp-2026:19:receipts',
    ],
    '9 Session ids of 128 bytes; our own rules under x-handover.rules.': [
      '§20,22',
      'macp-2026:4.1:id-length',
      'macp-2026:6:vendor-keys',
    ],
    '9 The owner must be listed.': {
      of: '§21',
      decision: '2026-11-15-implicit-owner',
      otherwise:
        'An initiator of Handoff who is not listed is bound first; in the other modes nobody is added.',
      by: ['decision:implicit-owner', 'mode:decision:7.3:listed', 'mode:task:9.2:participants'],
    },
  }),
];
