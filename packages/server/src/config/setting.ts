export type SettingKind =
  /** ip:port */
  | 'address'
  | 'host'
  | 'path'
  /** `1` switches it on; anything else leaves it off. */
  | 'flag'
  | 'integer'
  | 'text'
  | 'url'
  | 'cidr'
  | 'choice'
  /** Separated by commas. */
  | 'list'
  | 'json';

/** One environment name, as data: the reader, `--help` and the check for misspellings all use it. */
export type Setting = FixedSetting | ChangeableSetting;

interface AnySetting {
  readonly name: string;
  readonly kind: SettingKind;
  /** As it would be written in the environment; empty: none. */
  readonly default: string;
  /** The default in dev mode, where it is another one. */
  readonly devDefault?: string;
  readonly description: string;
  readonly min?: number;
  readonly max?: number;
  /** For `choice` and `list`. */
  readonly choices?: readonly string[];
  /** Never shown, not even in part. */
  readonly secret?: true;
  /** It is a limit: what happens beyond it, with the code that the caller gets. Shown in docs/running/limits.md. */
  readonly beyond?: string;
  /** Other runtimes know this name. Here it does nothing, for this reason. */
  readonly ignored?: string;
}

/** Only the environment can set it. */
export interface FixedSetting extends AnySetting {
  readonly change?: never;
}

/** Can be changed while the server runs. */
export interface ChangeableSetting extends AnySetting {
  /** Acts at once, or after the next start. */
  readonly change: 'live' | 'restart';
  /** Its place when the configuration is shown as a tree. */
  readonly path: string;
  /** The name that assistants use for it, if it is another one. */
  readonly shownAs?: string;
}
