import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { mapOutcome } from '../../../services/outcome.js';
import { freeObject } from '../json-argument.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, ENDS } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';

const input = z.strictObject({
  updates: freeObject('New value by key; null takes a change back. All of them are applied, or none.'),
  options: z
    .strictObject({
      validateOnly: z.boolean().describe('Check everything, change nothing.').exactOptional(),
      restartRequired: z.boolean().describe('False: refuse keys that wait for a restart.').exactOptional(),
    })
    .exactOptional(),
});

export type UpdateConfigurationArgs = z.infer<typeof input>;

const output = z.looseObject({ success, restartRequired: z.boolean() });

export const updateConfiguration = ({ configuration }: HandoffToolDependencies) =>
  defineTool<UpdateConfigurationArgs>({
    name: 'updateConfiguration',
    title: 'Update configuration',
    description:
      'For administrators: change settings while the server runs. Read them first with getConfiguration; try with options.validateOnly. A backup is made before every change.',
    scope: Scope.HANDOFF_ADMIN,
    hints: ENDS,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) =>
      mapOutcome(await configuration.update(principal, args), (result) => ({ ...result })),
  });
