import { plainText } from '../format/plain-text.js';
import type { Part } from './parts.js';

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** Mermaid's line break is the only markup that labels carry. */
export const linesOf = ({ label }: Part): readonly string[] =>
  label.split(/<br\/?>|\n/).map((line) => plainText(unescaped(line), 60));
