import fc from 'fast-check';
import { describe, it } from 'vitest';
import { eraseMode } from '../erase-mode.js';
import {
  authorityFields,
  expectAgreement,
  mixed,
  rulesBlock,
  words,
  yesNo,
} from '../rules-agreement.test.helper.js';
import { proposalMode } from './proposal-mode.js';

describe('the rules of Proposal Mode', () => {
  it('macp-2026:6.3 are read as their published schema says', () => {
    expectAgreement(eraseMode(proposalMode), {
      acceptance: rulesBlock({ criterion: words('all_parties', 'counterparty', 'initiator') }),
      counter_proposal: rulesBlock({ max_rounds: mixed(fc.nat()) }),
      rejection: rulesBlock({ terminal_on_any_reject: yesNo }),
      commitment: rulesBlock(authorityFields),
    });
  });
});
