/** The entries of a working session. Words of the log: none is ever changed or given another meaning. */
export const WorklogEntryType = {
  Registered: 'WorklogRegistered',
  ContextAdded: 'ContextAdded',
  HandoffRequested: 'HandoffRequested',
  HandoffEnded: 'HandoffEnded',
  Parked: 'WorklogParked',
  Closed: 'WorklogClosed',
  Reopened: 'WorklogReopened',
  Dormant: 'WorklogDormant',
  Expired: 'WorklogExpired',
  Archived: 'WorklogArchived',
  Purged: 'WorklogPurged',
} as const;
export type WorklogEntryType = (typeof WorklogEntryType)[keyof typeof WorklogEntryType];
