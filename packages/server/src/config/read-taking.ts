/** Who may have work that its owner did not hand to them. */
import type { SettingReader } from './setting-reader.js';

export interface TakingSettings {
  /** Who may take work over from a silent owner: nobody; a person or an administrator; any agent in the same project, too. */
  readonly takeOver: 'off' | 'person' | 'silent';
  /** How long the owner must have been silent. */
  readonly afterSecs: number;
  /** What is left for whoever comes next is for the callers over HTTP, too. */
  readonly openParking: boolean;
  /** Credentials keep the callers apart: they are not the assistants of one person's machine. */
  readonly apart: boolean;
}

/** Who shares one person's machine trusts the others there; credentials keep people apart. */
export function readTaking(
  reader: SettingReader,
  { trusting }: { readonly trusting: boolean },
): TakingSettings {
  const asked = reader.choice('HANDOVER_TAKEOVER');
  return Object.freeze({
    takeOver:
      asked === 'off' || asked === 'person' || asked === 'silent' ? asked : trusting ? 'silent' : 'person',
    afterSecs: reader.integer('HANDOVER_TAKEOVER_AFTER_SECS'),
    openParking: reader.flag('HANDOVER_OPEN_PARKING'),
    apart: !trusting,
  });
}
