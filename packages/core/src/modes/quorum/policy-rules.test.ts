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
import { quorumMode } from './quorum-mode.js';

describe('the rules of Quorum Mode', () => {
  it('macp-2026:6.3 are read as their published schema says', () => {
    expectAgreement(eraseMode(quorumMode), {
      threshold: rulesBlock({
        type: words('n_of_m', 'percentage', 'count', 'weighted'),
        value: mixed(fc.constantFrom(1, 75, 100, 101, 0)),
      }),
      abstention: rulesBlock({
        counts_toward_quorum: yesNo,
        interpretation: words('neutral', 'implicit_reject', 'ignored'),
      }),
      commitment: rulesBlock(authorityFields),
    });
  });
});
