import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '@handover/core';

export const digestOfText = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Of the value, however it is laid out: clients write their files again in their own way. */
export const digestOfValue = (value: Json): string => digestOfText(canonicalJson(value));
