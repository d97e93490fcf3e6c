import { encodeText as encode, textCall } from '../../../packages/core/src/operation/abi.js';
import { nodeCodec } from '../../../packages/server/src/platform/node-codec.js';

export const encodeText = (text: string): string => encode(text, nodeCodec);
export const nodeTexts = { call: (selector: string, text: string) => textCall(selector, text, nodeCodec) };
