import { rows } from '../row.js';

/** The multi-round mode (12). */
export const multiRoundModeRequirements = [
  ...rows('MACP-2026', '12', {
    'mode:multi-round:12': 'Participants contribute until all hold the same value; the initiator commits it.',
    'mode:multi-round:built-in':
      'It is built in and cannot be registered; it is listed with the extension modes.',
    'mode:multi-round:12:participants': 'It is strict, and at least one participant is listed.',
    'mode:multi-round:12:listed': 'Contributions by anybody who is not listed are FORBIDDEN.',
    'mode:multi-round:12:initiator': 'Only the initiator commits, whatever the policy says.',
    'mode:multi-round:12:empty': 'An empty payload is refused, and one that is neither form.',
    'mode:multi-round:12:decoding':
      'A value is protobuf or JSON; bytes that are both are protobuf if it would write them so.',
    'mode:multi-round:12:rounds': 'The latest value of each participant counts.',
    'mode:multi-round:12:converged': 'Once all hold one value nothing more is contributed.',
    'mode:multi-round:12:commitment': 'A Commitment needs that, and passes the checks of every Commitment.',
  }),
];
