/** The shapes of successes, as the output schemas publish them: loose, so that fields can be added. */
import { z } from 'zod';

export const success = z.boolean();
/** ISO 8601, UTC. */
export const timestamp = z.string();

export const handoffOutput = z.looseObject({
  handoffId: z.string(),
  status: z.enum(['pending', 'completed', 'failed']),
  phase: z.string(),
  from: z.string(),
  to: z.string(),
  instruction: z.string(),
});

export const attachmentOutput = z.looseObject({
  attachment: z.int(),
  name: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  digest: z.string(),
});

/** Of every tool that answers with one handoff. */
export const handoffResult = z.looseObject({
  success,
  handoffId: z.string(),
  /** pending, completed or failed. */
  status: z.string(),
  timestamp,
  handoff: z.looseObject({ phase: z.string() }),
});
