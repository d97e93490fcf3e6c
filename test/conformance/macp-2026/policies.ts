import { section } from './row.js';

/** 6 Policies. */
export const policyRows = [
  ...section('6.1', {
    'policy_id is not blank and not policy.default.': [
      '§1',
      'policy:5:id-present',
      'policy:5:default-reserved',
    ],
    'schema_version is 1, 2 or 3.': ['§2', 'policy:5:schema-version'],
    'rules are a JSON object.': ['§3', 'policy:5:rules-object'],
    'Each failure names its path.': ['§1,4-8', 'macp-2026:6.1:path'],
    'Rules are not validated again after binding.': ['§9', 'policy:bound:frozen', 'macp-2026:6.7:denies'],
  }),
  ...section('6.2', {
    'Rules of the five standard modes are closed at every level.': ['§1', 'macp-2026:6.2:closed'],
    'Those of * are closed over all of them, and right for each.': ['§2', 'macp-2026:6:any-mode'],
    'Those of other modes are free.': ['§3', 'macp-2026:6.2:free'],
    'So are those of any mode, whether it is served or not.': {
      of: '§3',
      decision: '2026-11-19-what-cannot-be-meant',
      otherwise: 'A policy for a mode under macp.mode. that is not served is refused: its name is mistyped.',
      by: ['macp-2026:6.2:reserved-modes'],
    },
    'Notes are allowed at every closed level.': ['§4', 'macp-2026:6:notes'],
    'voting.weights is not closed.': ['§5', 'macp-2026:6.3:decision'],
    'Vendor extensions stand at the top and are admitted if they are known.': [
      '§6-10',
      'macp-2026:6:vendor-keys',
    ],
    'rules.audit and our older keys are not keys of the protocol.': ['§11-12', 'policy:schema:known-keys'],
  }),
  ...section('6.3', {
    'Decision: keys, types, defaults, domains.': ['§2-16', 'macp-2026:6.3:decision', 'macp-2026:6:domains'],
    'Proposal.': ['§17-21', 'macp-2026:6.3:proposal'],
    'Task.': ['§22-24', 'macp-2026:6.3:task'],
    'Handoff.': ['§25-26', 'macp-2026:6.3:handoff'],
    'Quorum.': ['§27-34', 'macp-2026:6.3:quorum'],
    'A quorum by percentage is any number of 0 or more.': {
      of: '§7',
      decision: '2026-11-19-what-cannot-be-meant',
      otherwise: 'A registration is refused with a quorum above 100 percent or between 0 and 1.',
      by: ['macp-2026:6.3:meant'],
    },
    'Weights are any number above 0.': {
      of: '§8',
      decision: '2026-11-19-small-differences',
      otherwise:
        'Up to 1e15: sums of greater ones are no numbers. A session under such a policy does not start.',
      by: ['macp-2026:6.3:weights'],
    },
    'Any number of senders is designated.': {
      of: '§35',
      decision: '2026-11-19-registries-have-bounds',
      otherwise:
        'At most 100: each is written into the lists of every session. A session under such a policy does not start.',
      by: ['macp-2026:6.3:roles'],
    },
    'All: authority and roles.': [
      '§35-37',
      'macp-2026:6.3:commitment',
      'policy:5:designated-roles',
      'policy:5:known-authority',
    ],
  }),
  ...section('6.4', {
    'Versions 2 and 3 may carry critical_objection_action and allow_decline_over_approval.': {
      of: '§1-3',
      decision: '2026-11-19-small-differences',
      otherwise: 'So may version 1: the builders of other clients always write them.',
      by: ['macp-2026:6.3:decision'],
    },
    '3 lets an empty tally block a positive Commitment.': [
      '§4',
      'mode:decision:7.5:no-votes:schema-3',
      'mode:decision:7.5:no-votes:before',
    ],
    'A policy is evaluated under its own version.': ['§5', 'mode:decision:7.5:no-votes:before'],
    'Builders write 3 for Decision and 1 for the others.': ['§6', 'macp-2026:19:defaults'],
    '3 is admitted for every mode.': ['§7', 'macp-2026:6.4:every-mode'],
  }),
  ...section('6.5', {
    'policy.default is for all modes and says this.': ['§1', 'macp-2026:6:default-shown'],
    'It cannot be registered or removed.': ['§2', 'policy:5:default-reserved', 'policy:unregister'],
    'Under policy.std. there are three profiles and nothing else.': ['§4-7', 'macp-2026:6:std'],
    'They say this, and cannot be removed.': ['§8-9', 'macp-2026:6.5:profiles'],
  }),
  ...section('6.6', {
    'A removed policy keeps governing its sessions.': ['§1', 'policy:bound:frozen'],
    'ListPolicies has those of the mode and of *, by id.': ['§2', 'macp-2026:6.6:list'],
  }),
  ...section('6.7', {
    'Anything but a clear yes denies: an unknown version, rules that cannot be read.': [
      '§1-2',
      'macp-2026:6.7:denies',
      'commit:10:policy',
    ],
  }),
];
