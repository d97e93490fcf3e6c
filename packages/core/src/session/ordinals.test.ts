import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isControl, ordinalAt, sequenceOf } from './ordinals.js';

describe('ordinals', () => {
  it('leave out what the runtime wrote on request', () => {
    const controls = [3, 4, 7];
    const ordinals = [1, 2, 3, 4, 5, 6, 7, 8].map((seq) => ordinalAt(controls, seq));
    expect(ordinals).toEqual([1, 2, 2, 2, 3, 4, 4, 5]);
    expect([0, 1, 2, 3, 4, 5].map((ordinal) => sequenceOf(controls, ordinal))).toEqual([0, 1, 2, 5, 6, 8]);
    expect(['SessionStart', 'Commitment'].some(isControl)).toBe(false);
    expect(['SessionSuspend', 'SessionResume', 'SessionCancel'].every(isControl)).toBe(true);
  });

  it('and sequences are one for one', () => {
    const history = fc.array(fc.boolean(), { maxLength: 60 });
    fc.assert(
      fc.property(history, (isControlled) => {
        const controls = isControlled.flatMap((control, index) => (control ? [index + 2] : []));
        for (let seq = 1; seq <= isControlled.length + 1; seq++) {
          if (controls.includes(seq)) continue;
          expect(sequenceOf(controls, ordinalAt(controls, seq))).toBe(seq);
        }
      }),
    );
  });
});
