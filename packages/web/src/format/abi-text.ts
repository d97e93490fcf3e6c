/** One text, to a contract and from it; core wants its whole codec for this, of which texts need a part. */
import { type Codec, decodeText, encodeText } from '@handover/core';
import { codec } from './codec.js';

export const readText = (data: string): string | undefined => decodeText(data, codec as Codec);

/** Selector without 0x. */
export const callWithText = (selector: string, text: string): string =>
  `0x${selector}${encodeText(text, codec as Codec)}`;
