/** How long working sessions are kept. */
import type { Setting } from '../setting.js';

export const retentionSettings = [
  {
    name: 'RETENTION_DORMANT_SESSION_THRESHOLD_DAYS',
    kind: 'integer',
    default: '7',
    min: 1,
    max: 30,
    change: 'live',
    path: 'retention.dormantSessionThresholdDays',
    description: 'Idle days after which a working session is shown as dormant.',
    beyond: 'it is shown as dormant; the next context wakes it',
  },
  {
    name: 'RETENTION_SESSION_EXPIRATION_DAYS',
    kind: 'integer',
    default: '30',
    min: 1,
    max: 365,
    change: 'live',
    path: 'retention.sessionExpirationDays',
    description: 'Idle days after which a working session takes no more context.',
    beyond: 'it takes no more context (SESSION_EXPIRED); it can be read',
  },
  {
    name: 'RETENTION_ARCHIVE_AFTER_DAYS',
    kind: 'integer',
    default: '90',
    min: 1,
    max: 365,
    change: 'live',
    path: 'retention.archiveAfterDays',
    description: 'Days from the expiry of a working session to its archiving.',
    beyond: 'it is archived',
  },
  {
    name: 'RETENTION_PURGE_ARCHIVED_DAYS',
    kind: 'integer',
    default: '365',
    min: 30,
    max: 2_555,
    change: 'live',
    path: 'retention.purgeArchivedAfterDays',
    description: 'Days from the archiving of a working session to its purge.',
    beyond: 'it is purged',
  },
] as const satisfies readonly Setting[];
