import { rows } from '../row.js';

/** Quorum Mode: who asks and who answers (11.2), and each message (11.3). */
export const quorumModeRequirements = [
  ...rows('MACP-2026', '11.2', {
    'mode:quorum:11.2': 'The initiator asks, listed participants cast ballots.',
    'mode:quorum:11.2:participants': 'At least one participant is listed.',
    'mode:quorum:11.2:request': 'An ApprovalRequest by anybody but the initiator is FORBIDDEN.',
    'mode:quorum:11.2:ballots': 'A ballot by anybody who is not listed is FORBIDDEN.',
  }),
  ...rows('MACP-2026', '11.3', {
    'mode:quorum:11.3':
      'One request, one ballot each; a Commitment needs the threshold reached or out of reach.',
    'mode:quorum:11.3:decodes': 'A payload that does not decode is INVALID_ENVELOPE.',
    'mode:quorum:11.3:request:once': 'There is one request.',
    'mode:quorum:11.3:request:id': 'It has an id.',
    'mode:quorum:11.3:request:range': 'required_approvals is from 1 to the number of participants.',
    'mode:quorum:11.3:ballot:request': 'A ballot names the request, which exists.',
    'mode:quorum:11.3:ballot:once': 'One ballot for each sender, over all three kinds.',
    'mode:quorum:11.3:threshold:request': 'Without threshold.value the request says how many.',
    'mode:quorum:11.3:threshold:n-of-m': 'n_of_m, also called count, is the value of the policy.',
    'mode:quorum:11.3:threshold:percentage': 'percentage is a share of the participants, rounded up.',
    'mode:quorum:11.3:threshold:at-least-one': 'The threshold is at least 1.',
    'mode:quorum:11.3:threshold:above': 'It may be more than there are participants.',
    'mode:quorum:11.3:commitment:authority': 'Who may commit is judged first.',
    'mode:quorum:11.3:commitment:request': 'A Commitment needs the request.',
    'mode:quorum:11.3:commitment:reached': 'It needs the threshold reached, or out of reach.',
    'mode:quorum:11.3:commitment:negative': 'A negative outcome is not gated once it is reached.',
    'mode:quorum:11.3:commitment:out-of-reach': 'A positive outcome needs it reached, under every policy.',
    'mode:quorum:11.3:abstention': 'An abstention uses up a ballot and changes nothing else.',
  }),
];
