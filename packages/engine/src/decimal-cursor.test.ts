import { FaultCode } from '@handover/core';
import { expect, it } from 'vitest';
import { BEGINNING, cursorFrom, isUnreadableCursor } from './cursor.js';
import { decimalCursor, readDecimalCursor } from './decimal-cursor.js';

it('reads what it wrote, the beginning, and the numbers of 0.1.0', () => {
  for (const position of [0, 1, 42, 999_999_999_999_999])
    expect(readDecimalCursor(decimalCursor(position))).toBe(position);
  expect(readDecimalCursor(BEGINNING)).toBe(0);
  expect(readDecimalCursor(cursorFrom(String(17)))).toBe(17);
});

it('refuses everything else, and says what to do', () => {
  for (const text of ['-1', '+1', '1.5', '1e3', '0x1', ' 1', '1\n', '١', 'NaN', '1.2,3.4', '9'.repeat(16)]) {
    const read = () => readDecimalCursor(cursorFrom(text));
    expect(read, text).toThrow(/is not a cursor of this store; go on from the store's present position/);
    try {
      read();
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: FaultCode.CONFIGURATION, next: 'terminal' });
      expect(isUnreadableCursor(thrown)).toBe(true);
    }
  }
  expect(isUnreadableCursor(new Error('other'))).toBe(false);
});
