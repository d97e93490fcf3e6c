/** A text of somebody else's, fit to be shown and logged: normalised, without anything invisible, and short. */
import { normalForm } from '@handover/core';
import { fixedLimits } from '../../../config/fixed-limits.js';

/** Controls, and characters that only change how others are read: directions, joiners, byte order marks. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const LONGEST = fixedLimits.pageErrorLength.value;
/** Cut before anything else: whatever is sent may be long, and nothing that is read begins so late. */
const READ = 8 * LONGEST;

export const readableText = (text: string): string =>
  normalForm(text.slice(0, READ), 'NFC').replace(INVISIBLE, '').slice(0, LONGEST);
