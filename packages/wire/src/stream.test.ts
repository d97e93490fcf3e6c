import { describe, expect, it } from 'vitest';
import { decodeStreamFrame, decodeStreamRequest, encodeStreamFrame, encodeStreamRequest } from './stream.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const unhex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

describe('what a client says on a stream', () => {
  it('is these bytes', () => {
    expect(hex(encodeStreamRequest({ subscribeSessionId: 's', afterSequence: 5 }))).toBe('1201731805');
    expect(decodeStreamRequest(unhex('1201731805'))).toStrictEqual({
      subscribeSessionId: 's',
      afterSequence: 5,
    });
  });

  it('reads a sequence number past every end as the largest one', () => {
    const after = (varint: string) => decodeStreamRequest(unhex(`18${varint}`))?.afterSequence;
    expect(after('ffffffffffffffffff01')).toBe(Number.MAX_SAFE_INTEGER);
    expect(after('ffffffffffffff0f')).toBe(Number.MAX_SAFE_INTEGER);
    expect(after('feffffffffffff0f')).toBe(Number.MAX_SAFE_INTEGER - 1);
  });
});

describe('what the runtime says on a stream', () => {
  it('is an envelope, an error or nothing', () => {
    expect(decodeStreamFrame(unhex('0a0312016d'))).toMatchObject({
      kind: 'envelope',
      envelope: { mode: 'm' },
    });
    expect(decodeStreamFrame(unhex('12030a0163'))).toMatchObject({ kind: 'error', error: { code: 'c' } });
    expect(decodeStreamFrame(new Uint8Array(0))).toEqual({ kind: 'empty' });
    expect(encodeStreamFrame({ kind: 'empty' })).toHaveLength(0);
  });

  it('is what came last, merged only with its own kind', () => {
    const [envelope, error] = ['0a0312016d', '12030a0163'];
    expect(decodeStreamFrame(unhex(envelope + error))).toMatchObject({ kind: 'error' });
    expect(decodeStreamFrame(unhex(`${envelope}0a033a0161`))).toMatchObject({ envelope: { mode: 'm' } });
    expect(decodeStreamFrame(unhex(`${envelope}${error}0a00`))).toMatchObject({ envelope: { mode: '' } });
  });

  it('comes back as it went', () => {
    const error = { code: 'c', message: 'm', sessionId: 's', messageId: 'i', details: Uint8Array.of(1) };
    expect(decodeStreamFrame(encodeStreamFrame({ kind: 'error', error }))).toStrictEqual({
      kind: 'error',
      error,
    });
  });
});
