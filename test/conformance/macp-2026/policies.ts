import { section } from './row.js';

/** 6 Policies. */
export const policyRows = [
  ...section('6.1', {
    'policy_id is not blank and not policy.default.': ['policy:5:id-present', 'policy:5:default-reserved'],
    'schema_version is 1, 2 or 3.': ['policy:5:schema-version'],
    'rules are a JSON object.': ['policy:5:rules-object'],
    'Each failure names its path.': ['macp-2026:6.1:path'],
    'Rules are not validated again after binding.': ['policy:bound:frozen', 'macp-2026:6.7:denies'],
  }),
  ...section('6.2', {
    'Rules of the five standard modes are closed at every level.': ['macp-2026:6.2:closed'],
    'Those of * are closed over all of them, and right for each.': ['macp-2026:6:any-mode'],
    'Those of other modes are free.': ['macp-2026:6.2:free'],
    'So are those of any mode, whether it is served or not.': {
      otherwise: 'A policy for a mode under macp.mode. that is not served is refused: its name is mistyped.',
      by: ['macp-2026:6.2:reserved-modes'],
    },
    'Notes are allowed at every closed level.': ['macp-2026:6:notes'],
    'voting.weights is not closed.': ['macp-2026:6.3:decision'],
    'Vendor extensions stand at the top and are admitted if they are known.': ['macp-2026:6:vendor-keys'],
    'rules.audit and our older keys are not keys of the protocol.': ['policy:schema:known-keys'],
  }),
  ...section('6.3', {
    'Decision: keys, types, defaults, domains.': ['macp-2026:6.3:decision', 'macp-2026:6:domains'],
    'Proposal.': ['macp-2026:6.3:proposal'],
    'Task.': ['macp-2026:6.3:task'],
    'Handoff.': ['macp-2026:6.3:handoff'],
    'Quorum.': ['macp-2026:6.3:quorum'],
    'A quorum by percentage is any number of 0 or more, a threshold by percentage needs no value.': {
      otherwise:
        'A registration is refused with a quorum above 100 percent or between 0 and 1, and with a percentage that has no value.',
      by: ['macp-2026:6.3:meant'],
    },
    'All: authority and roles.': [
      'macp-2026:6.3:commitment',
      'policy:5:designated-roles',
      'policy:5:known-authority',
    ],
  }),
  ...section('6.4', {
    'Versions 2 and 3 may carry critical_objection_action and allow_decline_over_approval.': {
      otherwise: 'So may version 1: the builders of other clients always write them.',
      by: ['macp-2026:6.3:decision'],
    },
    '3 lets an empty tally block a positive Commitment.': [
      'mode:decision:7.5:no-votes:schema-3',
      'mode:decision:7.5:no-votes:before',
    ],
    'A policy is evaluated under its own version.': ['mode:decision:7.5:no-votes:before'],
    '3 is admitted for every mode.': ['macp-2026:6.4:every-mode'],
  }),
  ...section('6.5', {
    'policy.default is for all modes and says this.': ['macp-2026:6:default-shown'],
    'It cannot be registered or removed.': ['policy:5:default-reserved', 'policy:unregister'],
    'Under policy.std. there are three profiles and nothing else.': ['macp-2026:6:std'],
    'They say this, and cannot be removed.': ['macp-2026:6.5:profiles'],
  }),
  ...section('6.6', {
    'A removed policy keeps governing its sessions.': ['policy:bound:frozen'],
    'ListPolicies has those of the mode and of *, by id.': ['macp-2026:6.6:list'],
  }),
  ...section('6.7', {
    'Anything but a clear yes denies: an unknown version, rules that cannot be read.': [
      'macp-2026:6.7:denies',
      'commit:10:policy',
    ],
  }),
];
