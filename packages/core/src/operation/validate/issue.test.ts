/** hardening:H1: findings stay small, however long the names in the document are. */
import { describe, expect, it } from 'vitest';
import { below, Issues } from './issue.js';

const LONG = 'n'.repeat(100_000);

describe('findings', () => {
  it('cut names before they build paths of them', () => {
    expect(below('a', 'b')).toBe('a.b');
    expect(below('a', LONG).length).toBeLessThan(300);
  });

  it('cut messages and paths', () => {
    const issues = new Issues();
    issues.onlyKeys({ [LONG]: 1 }, new Set(), 'FIELD', below('a', LONG));
    issues.error('OTHER', LONG, LONG);
    for (const { message, path = '' } of issues.findings().errors)
      expect(message.length + path.length).toBeLessThan(1_200);
  });
});
