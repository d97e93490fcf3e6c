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
import { decisionMode } from './decision-mode.js';

const mode = eraseMode(decisionMode);
const share = mixed(fc.constantFrom(0.5, 0.6, 1, 0.4, 0, 1.1));

describe('the rules of Decision Mode', () => {
  it('macp-2026:6.3 are read as their published schema says', () => {
    expectAgreement(mode, {
      voting: rulesBlock({
        algorithm: words('none', 'majority', 'supermajority', 'unanimous', 'weighted', 'plurality'),
        threshold: share,
        quorum: rulesBlock({
          type: words('count', 'percentage'),
          value: mixed(fc.constantFrom(0, 0.5, 1, 2.5, 100, 150)),
        }),
        weights: mixed(fc.dictionary(fc.string({ maxLength: 2 }), mixed(fc.constantFrom(1, 0.5, 3)))),
      }),
      objection_handling: rulesBlock({
        critical_severity_vetoes: yesNo,
        veto_threshold: mixed(fc.constantFrom(1, 2)),
        critical_objection_action: words('deny', 'finalize_decline', 'hold'),
      }),
      evaluation: rulesBlock({ required_before_voting: yesNo, minimum_confidence: share }),
      commitment: rulesBlock({
        ...authorityFields,
        require_vote_quorum: yesNo,
        allow_decline_over_approval: yesNo,
      }),
    });
  });
});
