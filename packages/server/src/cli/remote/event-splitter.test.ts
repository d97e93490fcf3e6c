import { describe, expect, it } from 'vitest';
import { EventSplitter } from './event-splitter.js';

const STREAM =
  ': keepalive\n\nevent: message\ndata: {"a":1}\n\nid: 7\r\ndata:two\r\ndata: lines\r\n\r\nid: 8\ndata\n\n\rdata: ü\r\rdata: cut';

function taken(pieces: readonly Buffer[], maxBytes = 1_000) {
  const events = new EventSplitter(maxBytes);
  return pieces.flatMap<unknown>((piece) => events.take(piece) ?? ['too large']);
}

const EXPECTED = [{ data: '{"a":1}' }, { data: 'two\nlines', id: '7' }, { data: '', id: '8' }, { data: 'ü' }];

describe('assistants:6.7 events of a stream', () => {
  it('are found whatever the ends of lines, and wherever the stream is cut', () => {
    const bytes = Buffer.from(STREAM);
    expect(taken([bytes])).toEqual(EXPECTED);
    expect(taken(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(EXPECTED);
    for (let at = 1; at < bytes.length; at++)
      expect(taken([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(EXPECTED);
  });

  it('hold no more than they may: as one line, and as many', () => {
    expect(taken([Buffer.from(`data: ${'x'.repeat(1_000)}`)])).toEqual(['too large']);
    const many = Array.from({ length: 30 }, () => Buffer.from(`data: ${'x'.repeat(50)}\n`));
    expect(taken(many)).toContain('too large');
    expect(taken([Buffer.from('data:\n'.repeat(1_001))])).toEqual(['too large']);
    const apart = Array.from({ length: 30 }, () => Buffer.from(`data: ${'x'.repeat(50)}\n\n`));
    expect(taken(apart)).toHaveLength(30);
  });
});
