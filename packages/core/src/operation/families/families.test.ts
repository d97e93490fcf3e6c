import { describe, expect, it } from 'vitest';
import { isOver } from '../state.js';
import { Family, OperationStatus } from '../words.js';
import { FAMILIES, familyOfId } from './families.js';

const families = Object.values(FAMILIES);

describe('families', () => {
  it('are listed under their own names', () => {
    for (const name of Object.values(Family)) expect(FAMILIES[name].name).toBe(name);
  });

  it('tell ids apart by prefix and length', () => {
    for (const { name, prefix, idBytes } of families) {
      const id = prefix + 'a'.repeat(2 * idBytes);
      expect(familyOfId(id)).toBe(name);
      expect(familyOfId(id.slice(0, -1))).toBeUndefined();
      expect(familyOfId(`${prefix}${'a'.repeat(126)}`)).toBeUndefined();
      expect(familyOfId(`${id}.`)).toBeUndefined();
    }
  });

  it('end by their own words: a failed transaction can be tried again', () => {
    const over = (family: Family, status: OperationStatus) => isOver({ family, status });
    for (const { name, beginnings } of families) {
      const [firstStatus] = beginnings;
      expect(over(name, firstStatus)).toBe(false);
      expect(over(name, OperationStatus.Cancelled)).toBe(true);
      expect(isOver({ family: name, status: firstStatus, closed: true })).toBe(true);
    }
    expect(over(Family.Operation, OperationStatus.Failed)).toBe(false);
    expect(over(Family.BundleDeploy, OperationStatus.Failed)).toBe(true);
    expect(over(Family.SessionStart, OperationStatus.Failed)).toBe(true);
  });
});
