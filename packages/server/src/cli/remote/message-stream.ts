/** The messages of one streamed answer, as lines. Who reads them may let the server wait. */
import type { IncomingMessage } from 'node:http';
import { oneLine } from './answer-text.js';
import { EventSplitter } from './event-splitter.js';

export interface StreamListener {
  line(line: string): void;
  /** Where to go on when the connection is lost. */
  mark?(id: string): void;
}

/** Until its regular end. Rejects when the connection is lost, or when a message is larger than `maxBytes`. */
export function readMessages(
  answer: IncomingMessage,
  maxBytes: number,
  { line, mark }: StreamListener,
): Promise<void> {
  const events = new EventSplitter(maxBytes);
  return new Promise((resolve, reject) => {
    answer.on('data', (piece: Buffer) => {
      const taken = events.take(piece);
      if (!taken) return void answer.destroy(new Error('a message is too large'));
      for (const { data, id } of taken) {
        if (id !== undefined) mark?.(id);
        if (data !== '') line(oneLine(data));
      }
    });
    answer.once('end', resolve).once('error', reject);
    answer.once('close', () => reject(new Error('the connection was closed')));
  });
}

export const isStream = ({ headers }: IncomingMessage): boolean =>
  /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
