import { expect, it } from 'vitest';
import * as wire from './index.js';

it('exports this and nothing else', () => {
  expect(Object.keys(wire).sort()).toEqual([
    'SESSION_STATES',
    'create',
    'createCodec',
    'decodeAck',
    'decodeAckResponse',
    'decodeEnvelope',
    'decodeMessage',
    'decodeSendRequest',
    'decodeStreamFrame',
    'decodeStreamRequest',
    'encodeAck',
    'encodeAckResponse',
    'encodeEnvelope',
    'encodeMessage',
    'encodeSendRequest',
    'encodeStreamFrame',
    'encodeStreamRequest',
    'fileDescriptors',
    'fromBase64',
    'methods',
    'pb',
    'toBase64',
  ]);
});
