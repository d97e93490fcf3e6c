/**
 * A setting that is declared and not wired must not compile. Nothing runs here: `npm run typecheck` is the test, and an
 * expected error that does not come is one.
 */
import type { Limits } from '../../packages/server/src/config/read-limits.js';
import type { Setting } from '../../packages/server/src/config/setting.js';
import type { KnownSetting, LiveSetting, RestartSetting } from '../../packages/server/src/config/settings.js';
import type { Wiring } from '../../packages/server/src/config/wiring.js';

const same = <Value>(value: Value): Value => value;

/** As if somebody added two settings to the table. */
const added = [
  {
    name: 'NEW_RESTART',
    kind: 'integer',
    default: '1',
    description: '',
    change: 'restart',
    path: 'new.restart',
  },
  {
    name: 'NEW_LIVE',
    kind: 'choice',
    default: 'a',
    choices: ['a', 'b'],
    description: '',
    change: 'live',
    path: 'x',
  },
] as const satisfies readonly Setting[];
interface Target {
  readonly count: number;
  readonly letter: 'a' | 'b';
}
type Added = (typeof added)[number];

const count = { field: 'count', from: (value: number) => value } as const;
const letter = { field: 'letter', from: (value: 'a' | 'b') => value } as const;

({ NEW_RESTART: count, NEW_LIVE: letter }) satisfies Wiring<Added, Target>;

// @ts-expect-error NEW_LIVE is declared and not wired
({ NEW_RESTART: count }) satisfies Wiring<Added, Target>;

// @ts-expect-error NEW_RESTART is declared and not wired
({ NEW_LIVE: letter }) satisfies Wiring<Added, Target>;

// @ts-expect-error OTHER is wired and not declared
({ NEW_RESTART: count, NEW_LIVE: letter, OTHER: count }) satisfies Wiring<Added, Target>;

// @ts-expect-error there is no field of this name
({ NEW_RESTART: { field: 'cuont', from: same }, NEW_LIVE: letter }) satisfies Wiring<Added, Target>;

// @ts-expect-error a number does not fill a field of letters
({ NEW_RESTART: { field: 'letter', from: same }, NEW_LIVE: letter }) satisfies Wiring<Added, Target>;

// The real tables: what the server has is not enough once a setting is added, of either kind.
declare const restart: Wiring<RestartSetting, Limits>;
restart satisfies Wiring<RestartSetting, Limits>;
// @ts-expect-error NEW_RESTART is declared and not wired
restart satisfies Wiring<RestartSetting | Extract<Added, { change: 'restart' }>, Limits & Target>;

declare const live: Wiring<LiveSetting, Target>;
// @ts-expect-error NEW_LIVE is declared and not wired
live satisfies Wiring<LiveSetting | Extract<Added, { change: 'live' }>, Target>;

// Every changeable setting of the table is of one of the two kinds, so none escapes the wirings.
type Changeable = Extract<KnownSetting, { change: unknown }>;
true satisfies [Changeable] extends [LiveSetting | RestartSetting] ? true : false;

// @ts-expect-error what can be changed must say where it stands in the tree
({ name: 'NEW', kind: 'text', default: '', description: '', change: 'live' }) satisfies Setting;
