import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import { mapOutcome } from '../../../services/outcome.js';
import { success, timestamp } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, READS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';

const input = z.strictObject({
  keys: z
    .array(z.string().min(1).max(256))
    .max(200)
    .describe('Only these, by environment name or dotted path.')
    .exactOptional(),
});

export type GetConfigurationArgs = z.infer<typeof input>;

const output = z.looseObject({ success, configuration: z.looseObject({}), timestamp });

export const getConfiguration = ({ configuration }: HandoffToolDependencies) =>
  defineTool<GetConfigurationArgs>({
    name: 'getConfiguration',
    title: 'Get configuration',
    description:
      'For administrators: the settings this server runs on, by key. Secrets are shown as [redacted].',
    scope: Scope.HANDOFF_ADMIN,
    hints: READS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) =>
      mapOutcome(await configuration.get(principal, args), (view) => ({
        configuration: { ...view.configuration },
        ...(view.staged && { staged: { ...view.staged } }),
        timestamp: iso(view.timestamp),
      })),
  });
