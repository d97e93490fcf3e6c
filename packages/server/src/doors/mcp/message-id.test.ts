import { describe, expect, it } from 'vitest';
import { idIn } from './message-id.js';

const idOf = (text: string) => idIn(text.slice(0, 256), text.slice(-256));
const filler = 'x'.repeat(1_000);

describe('the id of a message that is not parsed', () => {
  it('is found where clients write it', () => {
    expect(idOf(`{"jsonrpc":"2.0","id":7,"method":"m","params":{"x":"${filler}"}}`)).toBe(7);
    expect(idOf(`{"id":"seven","jsonrpc":"2.0","params":{"x":"${filler}"}}`)).toBe('seven');
    expect(idOf(`{"method":"m","params":{"x":"${filler}"},"jsonrpc":"2.0","id":-7}`)).toBe(-7);
  });

  it('is not taken from somewhere else', () => {
    for (const text of [
      `{"method":"m","params":{"id":7,"x":"${filler}"}}`,
      `{"method":"m","params":{"x":"${filler}","id":7}}`,
      `{"method":"m","x":"${filler},\\"id\\":7}"}`,
      `{"jsonrpc":"2.0","id":null,"x":"${filler}"}`,
      `{"jsonrpc":"2.0","id":7e400,"x":"${filler}"}`,
      `{"jsonrpc":"2.0","id":1234567890123456,"x":"${filler}"}`,
      `[{"jsonrpc":"2.0","id":7,"x":"${filler}"}]`,
      '',
    ])
      expect(idOf(text), text.slice(0, 40)).toBeUndefined();
  });
});
