import { rows } from '../row.js';

/** Proposal Mode: who is heard (8.2), each message (8.3), and when it may be committed (8.4). */
export const proposalModeRequirements = [
  ...rows('MACP-2026', '8.2', {
    'mode:proposal:8.2': 'Listed participants negotiate; only its author withdraws a proposal.',
    'mode:proposal:8.2:participants': 'At least one participant is listed.',
    'mode:proposal:8.2:listed': 'Only listed participants are heard, the initiator if listed.',
    'mode:proposal:8.2:other-type':
      'Another type is INVALID_ENVELOPE from a participant, FORBIDDEN from others.',
    'mode:proposal:8.2:withdraw-own': 'Withdrawing what another proposed is FORBIDDEN.',
  }),
  ...rows('MACP-2026', '8.3', {
    'mode:proposal:8.3':
      'Ids are new, what is accepted or rejected is on the table, the latest acceptance counts.',
    'mode:proposal:8.3:decodes': 'A payload that does not decode is INVALID_ENVELOPE.',
    'mode:proposal:8.3:proposal:id': 'The id of a Proposal is new and not blank; the title may be empty.',
    'mode:proposal:8.3:counter:id': 'The id of a CounterProposal is new and not blank.',
    'mode:proposal:8.3:counter:known': 'It supersedes a known proposal, withdrawn or not.',
    'mode:proposal:8.3:counter:both-live': 'It does not retire the other.',
    'mode:proposal:8.3:counter:max-rounds':
      'There are no more counter-proposals than max_rounds; 0 is no limit.',
    'mode:proposal:8.3:accept:live': 'What is accepted exists and is live.',
    'mode:proposal:8.3:accept:latest': 'The latest acceptance of a participant replaces the earlier.',
    'mode:proposal:8.3:reject:live': 'What is rejected exists and is live.',
    'mode:proposal:8.3:reject:terminal': 'A rejection is terminal by its flag or by the policy.',
    'mode:proposal:8.3:withdraw:once': 'What is withdrawn exists and was not withdrawn before.',
    'mode:proposal:8.3:withdraw:drops':
      'A withdrawal drops acceptances and terminal rejections of that proposal.',
    'mode:proposal:8.3:withdraw:keeps': 'What was said of others stays.',
  }),
  ...rows('MACP-2026', '8.4', {
    'mode:proposal:8.4': 'A Commitment needs the acceptances of the criterion, or a rejection for good.',
    'mode:proposal:8.4:authority': 'Who may commit is judged first.',
    'mode:proposal:8.4:nothing': 'Without a proposal nothing is committed.',
    'mode:proposal:8.4:all-parties':
      'all_parties: the current acceptance of every participant is one live proposal.',
    'mode:proposal:8.4:counterparty': 'counterparty: that of everybody but its author.',
    'mode:proposal:8.4:initiator': 'initiator: that of the initiator.',
    'mode:proposal:8.4:recomputed': 'The phase is computed anew after each message.',
    'mode:proposal:8.4:terminal-rejected': 'One terminal rejection that stands is enough.',
    'mode:proposal:8.4:either-outcome': 'Either outcome passes the mode in both cases.',
    'mode:proposal:8.4:criterion-not-met':
      'A history with more counter-proposals than the policy allows denies a positive outcome.',
  }),
];
