import { describe, it } from 'vitest';
import { eraseMode } from '../erase-mode.js';
import { authorityFields, expectAgreement, rulesBlock, yesNo } from '../rules-agreement.test.helper.js';
import { taskMode } from './task-mode.js';

describe('the rules of Task Mode', () => {
  it('macp-2026:6.3 are read as their published schema says', () => {
    expectAgreement(eraseMode(taskMode), {
      assignment: rulesBlock({ allow_reassignment_on_reject: yesNo }),
      completion: rulesBlock({ require_output: yesNo }),
      commitment: rulesBlock(authorityFields),
    });
  });
});
