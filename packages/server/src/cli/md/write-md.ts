/** A brief as a HANDOFF.md. */
import type { Brief } from '@handover/core';
import { headLine } from './head-line.js';

export interface MdSource {
  readonly session: string;
  readonly upTo: number;
  readonly brief: Pick<Brief, 'text' | 'digest'>;
  /** Names of what only the log holds. */
  readonly onlyInLog?: readonly string[];
}

export const writeMd = ({ session, upTo, brief: { text, digest } }: MdSource): string =>
  `${headLine({ session, upTo, digest })}\n${text}\n`;
