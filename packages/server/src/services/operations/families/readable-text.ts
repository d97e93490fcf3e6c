/** A text of somebody else's, fit to be shown and logged: normalised, without anything invisible, and short. */
import { fixedLimits } from '../../../config/fixed-limits.js';

/** Controls, and characters that only change how others are read: directions, joiners, byte order marks. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export const readableText = (text: string): string =>
  text.normalize('NFC').replace(INVISIBLE, '').slice(0, fixedLimits.pageErrorLength.value);
