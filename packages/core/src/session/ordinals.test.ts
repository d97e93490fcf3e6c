import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Controls, hasOrdinal, ordinalAt, sequenceOf, withControl } from './ordinals.js';

const controlsAt = (seqs: readonly number[]) => seqs.reduce<Controls>(withControl, []);

describe('ordinals', () => {
  it('leave out what the runtime wrote on request', () => {
    const controls = controlsAt([3, 4, 7]);
    const ordinals = [1, 2, 3, 4, 5, 6, 7, 8].map((seq) => ordinalAt(controls, seq));
    expect(ordinals).toEqual([1, 2, 2, 2, 3, 4, 4, 5]);
    expect([0, 1, 2, 3, 4, 5].map((ordinal) => sequenceOf(controls, ordinal))).toEqual([0, 1, 2, 5, 6, 8]);
    expect(['SessionStart', 'Commitment'].every(hasOrdinal)).toBe(true);
    expect(['SessionSuspend', 'SessionResume', 'SessionCancel', 'SessionExpired'].some(hasOrdinal)).toBe(
      false,
    );
  });

  it('cost little where there are as many controls as a session may have', () => {
    const seqs = Array.from({ length: 50_000 }, (_, index) => index + 2);
    const controls = controlsAt(seqs);
    expect(ordinalAt(controls, 50_001)).toBe(1);
    expect([sequenceOf(controls, 1), sequenceOf(controls, 2)]).toEqual([1, 50_002]);
    expect(Math.max(...controls.map(({ length }) => length))).toBeLessThan(300);
  });

  it('and sequences are one for one', () => {
    const history = fc.array(fc.boolean(), { maxLength: 60 });
    fc.assert(
      fc.property(history, (isControlled) => {
        const seqs = isControlled.flatMap((control, index) => (control ? [index + 2] : []));
        const controls = controlsAt(seqs);
        for (let seq = 1; seq <= isControlled.length + 1; seq++) {
          if (seqs.includes(seq)) continue;
          expect(sequenceOf(controls, ordinalAt(controls, seq))).toBe(seq);
        }
      }),
    );
  });
});
