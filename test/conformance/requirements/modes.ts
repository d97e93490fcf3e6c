import { rows } from './row.js';

/** The modes beside Handoff. Their rules one by one are tested beside them and by test/model; here they are met whole. */
export const modeRequirements = [
  ...rows('MACP-2026', '7', {
    'mode:decision:7.2':
      'A session may list nobody; then nobody is heard, and it can only expire or be cancelled.',
    'mode:decision:7.3':
      'Only listed participants propose, evaluate, object and vote; other types are FORBIDDEN.',
    'mode:decision:7.4':
      'Proposals, then evaluations and objections, then votes; words are exact, a vote counts once.',
    'mode:decision:7.5': 'The policy judges a Commitment by evaluations, objections, quorum and votes.',
  }),
  ...rows('MACP-2026', '8', {
    'mode:proposal:8.2': 'Listed participants negotiate; only its author withdraws a proposal.',
    'mode:proposal:8.3':
      'Ids are new, what is accepted or rejected is on the table, the latest acceptance counts.',
    'mode:proposal:8.4': 'A Commitment needs the acceptances of the criterion, or a rejection for good.',
  }),
  ...rows('MACP-2026', '9', {
    'mode:task:9.2': 'The initiator gives the task to others; somebody besides the initiator takes part.',
    'mode:task:9.3':
      'One task, one assignee, one terminal report; the policy says whether work can be given back.',
  }),
  ...rows('MACP-2026', '11', {
    'mode:quorum:11.2': 'The initiator asks, listed participants cast ballots.',
    'mode:quorum:11.3':
      'One request, one ballot each; a Commitment needs the threshold reached or out of reach.',
  }),
  ...rows('MACP-2026', '12', {
    'mode:multi-round:12': 'Participants contribute until all hold the same value; the initiator commits it.',
    'mode:multi-round:built-in':
      'It is built in and cannot be registered; it is listed with the extension modes.',
  }),
];
