/** The content of a capture: what somebody needs who goes on from here, in at most 8 KiB. */
import { cutBytes } from './cut.js';
import type { Conversation } from './transcripts/conversation.js';

const MAX_BYTES = 8_192;

/** Undefined when there is nothing to say. */
export function entryText(conversation: Conversation, reason?: string): string | undefined {
  const { first, latest, answer, files, failed, plan } = conversation;
  // What the user asked first is said once, as long as it is also among the last.
  const later = conversation.asks > latest.length ? latest : latest.slice(1);
  const sections = [
    section('Stopped', reason === undefined ? [] : [asItem(reason)]),
    section('First asked', first === '' ? [] : [asItem(first)]),
    section('Last asked', later.map(asItem)),
    section('Last answer', answer === '' ? [] : [asItem(answer)]),
    section('Files written', files.map(asItem)),
    section(
      'To do',
      plan.map(({ text, done }) => asItem(`[${done ? 'x' : ' '}] ${text}`)),
    ),
    section('Failed commands', failed.map(failedItem)),
  ].filter((lines) => lines !== '');
  return sections.length === 0 ? undefined : cutBytes(sections.join('\n'), MAX_BYTES);
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`;

/** Further lines of an item are indented, so that none of them looks like an item or a title of ours. */
const asItem = (text: string): string => `- ${text.replace(/\n(?=.)/g, '\n  ')}`;

const failedItem = ({ command, error }: Conversation['failed'][number]): string =>
  asItem(error === '' ? command : `${command}\n${error}`);
