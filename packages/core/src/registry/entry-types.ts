/** The entries of the registries. Words of the log: none is ever changed. */
export const PolicyEntryType = {
  Registered: 'PolicyRegistered',
  Unregistered: 'PolicyUnregistered',
} as const;
export type PolicyEntryType = (typeof PolicyEntryType)[keyof typeof PolicyEntryType];

export const ModeEntryType = {
  Registered: 'ModeRegistered',
  Unregistered: 'ModeUnregistered',
  Promoted: 'ModePromoted',
} as const;
export type ModeEntryType = (typeof ModeEntryType)[keyof typeof ModeEntryType];
