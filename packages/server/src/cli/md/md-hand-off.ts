/**
 * What a HANDOFF.md says, as a handoff in one call. Nothing is lost: what a list cannot hold stands in `brief` under its
 * heading, and a text that is too long for `brief` goes along as an attachment.
 */
import type { NoteKind } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { HAND_OFF_MOST, type HandOffArgs } from '../../services/handoffs/hand-off-types.js';
import type { MdNotes } from './read-md.js';

type Kind = Exclude<NoteKind, 'brief'>;
type List = keyof typeof HAND_OFF_MOST.items;

const LISTS: Readonly<Record<Exclude<Kind, 'goal'>, List>> = {
  next: 'next',
  open: 'open',
  decision: 'decisions',
  tried: 'tried',
  done: 'done',
  file: 'files',
};

const TITLES: Readonly<Record<Kind, string>> = {
  goal: 'Goal',
  next: 'Next',
  open: 'Open',
  decision: 'Decisions',
  tried: 'Dead ends',
  done: 'Done',
  file: 'Files',
};

export interface MdFile {
  readonly name: string;
  readonly text: string;
}

/** A string: why it cannot be handed over, the end of a sentence that begins with the name of the file. */
export function mdHandOff(
  { notes, brief }: Pick<MdNotes, 'notes' | 'brief'>,
  file: MdFile,
): HandOffArgs | string {
  const textsOf = (kind: Kind) => notes.filter((note) => note.kind === kind).map(({ text }) => text);
  const rest: string[] = [];
  const lists: Partial<Record<List, string[]>> = {};
  const goal = textsOf('goal').join('\n');
  const fitsGoal = charactersOf(goal) <= HAND_OFF_MOST.characters;
  if (!fitsGoal) rest.push(section('goal', [goal]));
  for (const [kind, list] of Object.entries(LISTS) as [Exclude<Kind, 'goal'>, List][]) {
    const most = kind === 'file' ? HAND_OFF_MOST.fileCharacters : HAND_OFF_MOST.characters;
    const all = textsOf(kind);
    const fitting = all.filter((text) => charactersOf(text) <= most).slice(0, HAND_OFF_MOST.items[list]);
    const over = all.filter((text) => !fitting.includes(text));
    if (fitting.length > 0) lists[list] = fitting;
    if (over.length > 0) rest.push(section(kind, over));
  }
  const whole = [...rest, ...(brief === undefined ? [] : [brief])].join('\n\n');
  const said = { ...(goal !== '' && fitsGoal && { goal }), ...lists };
  if (Buffer.byteLength(whole) <= HAND_OFF_MOST.briefBytes)
    return { ...said, ...(whole !== '' && { brief: whole }) };
  return tooLong(said, whole, file);
}

const section = (kind: Kind, texts: readonly string[]): string =>
  `## ${TITLES[kind]}\n${texts.map((text) => `- ${text}`).join('\n')}`;

const charactersOf = (text: string): number => [...text].length;

/** A name has 255 bytes at most. */
const NOTE_BYTES = 1_024;
const ATTACHMENT_BYTES = fixedLimits.handOffAttachmentBytes.value;

function tooLong(said: HandOffArgs, whole: string, { name, text }: MdFile): HandOffArgs | string {
  if (Buffer.byteLength(text) > ATTACHMENT_BYTES)
    return `has more than ${ATTACHMENT_BYTES} bytes, and too much of it stands under no heading that is known`;
  const note = `\n\n(cut; all of it is in the attachment ${JSON.stringify(name)})`;
  // A character of which only the beginning fits is dropped.
  const part = Buffer.from(whole)
    .subarray(0, HAND_OFF_MOST.briefBytes - NOTE_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  const attachments = [{ name, content: text, contentType: 'text/markdown' }];
  return { ...said, brief: part + note, attachments };
}
