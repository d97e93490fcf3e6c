import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { whoeverWrote } from '../../../services/handoffs/shown/written-by.js';
import { mapOutcome } from '../../../services/outcome.js';
import { cursor, sessionKey } from '../arguments.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, READS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';
import { project } from './list-sessions.js';

const input = z.strictObject({
  query: z.string().min(1).max(200),
  sessionKey: sessionKey.exactOptional(),
  project: project.exactOptional(),
  limit: z.int().min(1).max(50).describe('Default 10.').exactOptional(),
  cursor: cursor.exactOptional(),
});

export type SearchContextArgs = z.infer<typeof input>;

const output = z.looseObject({
  success,
  hits: z.array(z.looseObject({ sessionKey: z.string(), sequenceNumber: z.int(), snippet: z.string() })),
  complete: z.boolean(),
});

export const searchContext = ({ handoffs }: HandoffToolDependencies) =>
  defineTool<SearchContextArgs>({
    name: 'searchContext',
    title: 'Search context',
    description:
      'Find words in sessions you may read: past decisions, errors, file names. All words must occur; "quotes" for a phrase.',
    scope: Scope.HANDOFF_READ,
    hints: READS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) =>
      mapOutcome(await handoffs.searchContext(principal, args), ({ hits, ...rest }) => ({
        hits: hits.map((hit) => ({ ...hit, createdAt: iso(hit.createdAt) })),
        ...rest,
        provenance: whoeverWrote(
          hits.map(({ author }) => author),
          principal.agent,
        ),
      })),
  });
