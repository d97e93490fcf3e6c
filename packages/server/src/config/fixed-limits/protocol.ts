/** What the rules of MACP and of the log bound, whatever the server. */
import {
  MAX_BACKUPS,
  MAX_ENTRIES_PER_STREAM,
  MAX_ID_BYTES,
  MAX_MODES_BYTES,
  MAX_PARTICIPANTS,
  MAX_POLICIES_BYTES,
  MAX_REGISTERED,
  MAX_TTL_MS,
} from '@handover/core';
import type { FixedLimit } from '../fixed-limits.js';

export const protocolLimits = {
  entriesPerStream: {
    what: 'Entries in the history of one session, working session or operation',
    value: MAX_ENTRIES_PER_STREAM,
    unit: 'count',
    beyond: 'INVALID_ENVELOPE; there is room left for endings',
  },
  idBytes: {
    what: 'Ids and names in a message',
    value: MAX_ID_BYTES,
    unit: 'bytes',
    beyond: 'INVALID_ENVELOPE',
  },
  participants: {
    what: 'Participants of a session',
    value: MAX_PARTICIPANTS,
    unit: 'count',
    beyond: 'INVALID_ENVELOPE',
  },
  sessionTtlMs: {
    what: 'Life of a session, without the time in which it is suspended',
    value: MAX_TTL_MS,
    unit: 'ms',
    beyond: 'INVALID_ENVELOPE',
  },
  registered: {
    what: 'Policies, and extension modes, that a tenant has registered',
    value: MAX_REGISTERED,
    unit: 'count',
    beyond: 'the registration is refused; what is registered stays',
  },
  policiesBytes: {
    what: 'The policies of a tenant together',
    value: MAX_POLICIES_BYTES,
    unit: 'bytes',
    beyond: 'the same',
  },
  modesBytes: {
    what: 'The extension modes of a tenant together',
    value: MAX_MODES_BYTES,
    unit: 'bytes',
    beyond: 'the same',
  },
  policyRulesBytes: {
    what: 'Rules of a policy, as JSON',
    value: 65_536,
    unit: 'bytes',
    beyond: 'INVALID_POLICY_DEFINITION',
  },
  operationSteps: {
    what: 'Steps of one operation',
    value: 100,
    unit: 'count',
    beyond: 'VALIDATION_ERROR',
  },
  sessionStarts: {
    what: 'Process sessions in one session start',
    value: 100,
    unit: 'count',
    beyond: 'VALIDATION_ERROR',
  },
  configurationBackups: {
    what: 'Backups of the configuration',
    value: MAX_BACKUPS,
    unit: 'count',
    beyond: 'CONFLICT; delete one',
  },
} as const satisfies Readonly<Record<string, FixedLimit>>;
