import type { JsonObject } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../auth/scopes.js';
import { iso } from '../../../platform/iso.js';
import type { BackupResult } from '../../../services/configuration/types.js';
import { mapOutcome } from '../../../services/outcome.js';
import { success } from '../outputs.js';
import { ResultShape } from '../results.js';
import { defineTool, type Hints } from '../tool.js';
import type { HandoffToolDependencies } from './dependencies.js';

const input = z.strictObject({
  action: z.enum(['create', 'restore', 'list', 'delete']),
  backupId: z.string().min(1).max(256).describe('To restore or delete.').exactOptional(),
  options: z
    .strictObject({
      description: z.string().max(1_000).describe('With create.').exactOptional(),
      restartRequired: z.boolean().describe('False: refuse what waits for a restart.').exactOptional(),
    })
    .exactOptional(),
});

export type ManageConfigurationBackupArgs = z.infer<typeof input>;

const hints: Hints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};
const output = z.looseObject({ success });

export const manageConfigurationBackup = ({ configuration }: HandoffToolDependencies) =>
  defineTool<ManageConfigurationBackupArgs>({
    name: 'manageConfigurationBackup',
    title: 'Manage configuration backup',
    description: 'For administrators: create, list, restore or delete backups of the changed settings.',
    scope: Scope.HANDOFF_ADMIN,
    hints,
    input,
    output,
    result: ResultShape.FIELDS,
    run: async (args, { principal }) => mapOutcome(await configuration.backup(principal, args), backupJson),
  });

function backupJson({ backups, ...rest }: BackupResult): JsonObject {
  return {
    ...rest,
    ...(backups && {
      backups: backups.map(({ createdAt, values, ...backup }) => ({
        ...backup,
        createdAt: iso(createdAt),
        values: { ...values },
      })),
    }),
  };
}
