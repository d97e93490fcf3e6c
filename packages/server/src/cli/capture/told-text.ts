/**
 * What a server elsewhere says at the start of a conversation, within the caps that ours keeps to. The client puts it before
 * a model, so an odd server must not be able to say more, nor what nobody sees.
 */
import { BRIEF_TOKENS, LINES_CHARACTERS } from '../../services/handoffs/hook-caps.js';
import { withoutHidden } from '../../services/handoffs/shown/without-hidden.js';
import { cutBytes, cutCharacters } from './cut.js';

const BYTES_OF_TOKEN = 4;
const MOST_BYTES_OF_CHARACTER = 4;
const BETWEEN = 2;

export function toldText(text: string, mayHaveBrief: boolean): string {
  const briefBytes = mayHaveBrief ? BRIEF_TOKENS * BYTES_OF_TOKEN + BETWEEN : 0;
  // A brief has no more characters than bytes.
  const characters = LINES_CHARACTERS + briefBytes;
  const clean = withoutHidden(text.slice(0, 2 * characters));
  return cutBytes(cutCharacters(clean, characters), LINES_CHARACTERS * MOST_BYTES_OF_CHARACTER + briefBytes);
}
