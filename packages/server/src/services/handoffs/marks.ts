/** Marks: a place in the log as a caller who waits carries it. */
import { pageToken, readPageToken } from '../page-token.js';

export const encodeMark = (position: number): string => pageToken(`@${position}`);

export function decodeMark(mark: string): number | undefined {
  const text = readPageToken(mark);
  if (!text || !/^@\d{1,15}$/.test(text)) return undefined;
  return Number(text.slice(1));
}
