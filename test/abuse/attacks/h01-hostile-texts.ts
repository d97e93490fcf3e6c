/** H1: texts and numbers that are dear to look at, in calls that any assistant may make; and names that a parser drops. */
import { randomUUID } from 'node:crypto';
import { Token } from '../arena/identities.js';
import type { TargetAddress } from '../arena/target.js';
import type { Attack } from '../attack.js';
import { type Observed, observeEach } from '../observe.js';
import { inParallel } from '../pace.js';
import { callTool, useTool } from '../wire/mcp.js';

const MB = 1_000_000;
const AT_ONCE = 4;

/** An accent twice on one letter, and on no letter at all: what is compared has to be put in order first. */
const TEXTS: readonly (readonly [string, (bytes: number) => string])[] = [
  ['accents on one letter', (bytes) => `e${'\u0301\u0316'.repeat(bytes / 4)}`],
  ['accents on no letter', (bytes) => '\u0301'.repeat(bytes / 2)],
  ['Hangul in parts', (bytes) => '\u1100\u1161\u11a8'.repeat(bytes / 9)],
  ['letters that become eighteen', (bytes) => '\ufdfa'.repeat(bytes / 3)],
];

type Http = Pick<TargetAddress, 'http'>;

/** Needs no more of a server than where it is. */
interface Call extends Observed {
  request(where: Http): ReturnType<Observed['request']>;
}

/** One session of the attacker with an entry of each text, and calls that go through all of them. */
async function overTexts({ http }: Http, bytes: number): Promise<readonly Call[]> {
  const sessionKey = `texts-${randomUUID()}`;
  const use = (tool: string, args: object) => useTool(http, Token.attacker, tool, args);
  await use('registerSession', { sessionKey, agentFrom: 'attacker' });
  for (const [, text] of TEXTS)
    await use('updateContext', { sessionKey, contextType: 'message', content: text(bytes) });
  const call = (what: string, tool: string, args: object): Call => ({
    what,
    request: (target) => callTool(target.http, Token.attacker, tool, JSON.stringify(args)),
  });
  const size = `${TEXTS.length} texts of ${(bytes / MB).toFixed(1)} MB`;
  return [
    call(`searchContext through ${size}`, 'searchContext', { query: 'nowhere', sessionKey }),
    ...TEXTS.map(([name, text]) =>
      call(`searchContext for ${name}`, 'searchContext', { query: text(190), sessionKey }),
    ),
    call(`resume with ${size}`, 'resume', { sessionKey }),
  ];
}

const withArguments = (what: string, tool: string, args: string): Call => ({
  what,
  request: ({ http }) => callTool(http, Token.attacker, tool, args),
});

const inMetadata = (what: string, value: string): Call =>
  withArguments(
    what,
    'registerSession',
    `{"sessionKey":"${randomUUID()}","agentFrom":"attacker","metadata":{"n":${value}}}`,
  );

const numbers = (digits: number): readonly Call[] => {
  const zeros = '0'.repeat(digits);
  return [
    inMetadata(`a point, ${digits} zeros and a 1`, `0.${zeros}1`),
    inMetadata(`1e, ${digits} zeros and a 5`, `1e${zeros}5`),
    inMetadata(`1, a point and ${digits} zeros`, `1.${zeros}`),
    inMetadata(
      '500 numbers with zeros',
      `[${Array(500)
        .fill(`0.${'0'.repeat(digits / 500)}1`)
        .join(',')}]`,
    ),
  ];
};

const PROTO: readonly Call[] = [
  withArguments('__proto__ as an argument', 'whoAmI', '{"__proto__":{"scopes":["handoff:admin"]}}'),
  withArguments(
    '__proto__ within an argument',
    'handOff',
    '{"goal":"x","attachments":[{"name":"a","content":"b","__proto__":{}}]}',
  ),
  inMetadata('__proto__ in metadata, where any name may stand', '{"__proto__":{"polluted":1}}'),
];

export const hostileTexts: Attack = {
  row: 'H1-TEXTS',
  title: 'texts and numbers that are dear to look at',

  async probe({ serve, say }) {
    const target = await serve();
    const once = async () => target;
    await observeEach(once, await overTexts(target, 0.5 * MB), say);
    await observeEach(serve, [...numbers(0.5 * MB), ...PROTO], say);
  },

  async full({ target, over, got }) {
    const all = [...(await overTexts(target, 0.9 * MB)), ...numbers(0.9 * MB), ...PROTO];
    await inParallel(over, AT_ONCE, async (turn) => {
      const { request } = all[turn % all.length] as Call;
      got((await request(target)).code);
    });
  },
};
