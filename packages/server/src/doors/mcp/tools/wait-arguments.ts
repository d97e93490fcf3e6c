/** What all tools that wait take. */
import { z } from 'zod';

/** Clients give up after 60 seconds; a tool answers before that. */
export const MAX_WAIT_MS = 50_000;
export const DEFAULT_WAIT_MS = 25_000;

export const mark = z.string().min(1).max(1_024);

export const waitArguments = {
  since: mark.describe('resume.since of the last answer: changes since then are not missed.').exactOptional(),
  timeoutMs: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .describe('How long to wait; 25000 by default, at most 50000.')
    .exactOptional(),
};
