/** Long texts of one repeated piece, written as the piece and its count, so that a seed stays a file that one can read. */
import type { Json } from './json.js';

const RUN = /([\s\S]{1,8}?)\1{199,}/g;
const MARK = '$repeat';

type Piece = string | readonly [piece: string, times: number];

export function compact(value: Json): Json {
  if (typeof value === 'string') return compactText(value);
  if (Array.isArray(value)) return value.map(compact);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, compact(member)]));
}

export function expand(value: Json): Json {
  if (Array.isArray(value)) return value.map(expand);
  if (value === null || typeof value !== 'object') return value;
  const { [MARK]: pieces } = value;
  if (Array.isArray(pieces)) return (pieces as Piece[]).map(pieceText).join('');
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
}

const pieceText = (piece: Piece): string => (typeof piece === 'string' ? piece : piece[0].repeat(piece[1]));

function compactText(text: string): Json {
  const pieces: Json[] = [];
  let from = 0;
  for (const { index, 0: run, 1: piece = '' } of text.matchAll(RUN)) {
    if (index > from) pieces.push(text.slice(from, index));
    pieces.push([piece, run.length / piece.length]);
    from = index + run.length;
  }
  if (pieces.length === 0) return text;
  return { [MARK]: from < text.length ? [...pieces, text.slice(from)] : pieces };
}
