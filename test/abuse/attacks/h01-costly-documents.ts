/** H1: one call of a tool that only reads, with a document that costs more than it weighs. A read scope is enough. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WORKING_CHAIN } from '../arena/chain-nodes.js';
import { alikeSteps, wideRule } from '../arena/hostile-contracts.js';
import { Token } from '../arena/identities.js';
import type { Attack } from '../attack.js';
import { handedOn, longNames, missingInputs, stepsTimesRules, unknownKeys } from '../bodies/bundles.js';
import { type Observed, observe, observeEach, sized } from '../observe.js';
import { inParallel } from '../pace.js';
import { callTool } from '../wire/mcp.js';

interface Variant {
  readonly name: string;
  readonly tool: string;
  readonly args: () => string;
}

const bundleOf = (name: string, text: () => string): Variant => ({
  name,
  tool: 'validate_xgr_multibundle',
  args: () => `{"bundle":${text()}}`,
});
const onChain = (name: string, address: string): Variant => ({
  name,
  tool: 'resolve_xrc729_process_graph',
  args: () => JSON.stringify({ xrc729Address: address, ostcId: 'x', chainId: WORKING_CHAIN }),
});

/** Fills the heap of 0.1.0 until the process dies. */
const KILLER = bundleOf('missing inputs, 1,000,000 x 200,000', () => missingInputs(1_000_000, 200_000));

/** Sizes at which 0.1.0 still answers. */
const SMALL: readonly Variant[] = [
  bundleOf('missing inputs, 600 x 600', () => missingInputs(600, 600)),
  bundleOf('handed on, 3,000 x 3,000', () => handedOn(3_000, 3_000)),
  bundleOf('steps x rules, 5,000 x 5,000', () => stepsTimesRules(5_000, 5_000)),
  bundleOf('200 findings below a name of 200 kB', () => longNames(200_000, 200)),
  bundleOf('200,000 unknown keys', () => unknownKeys(200_000)),
  { name: '100,000 unknown arguments', tool: 'list_recent_operations', args: () => unknownKeys(100_000) },
  onChain('5,000 steps with like ids, read from a chain', alikeSteps(5_000)),
  onChain('a rule of 20,000 fields, read from a chain', wideRule(20_000)),
];

const LARGE: readonly Variant[] = [
  KILLER,
  bundleOf('missing inputs, 10,000 x 3,000', () => missingInputs(10_000, 3_000)),
  bundleOf('handed on, 900,000 x 500,000', () => handedOn(900_000, 500_000)),
  bundleOf('steps x rules, 120,000 x 35,000', () => stepsTimesRules(120_000, 35_000)),
  bundleOf('20,000 findings below a name of 1 MB', () => longNames(1_000_000, 20_000)),
  bundleOf('900,000 unknown keys', () => unknownKeys(900_000)),
  { name: '900,000 unknown arguments', tool: 'list_recent_operations', args: () => unknownKeys(900_000) },
  onChain('60,000 steps with like ids, read from a chain', alikeSteps(60_000)),
  onChain('a rule of 60,000 fields, read from a chain', wideRule(60_000)),
];

const AT_ONCE = 4;
/** As much as a server under attack may take; with more it only lasts longer. */
const HEAP_MB = 512;

export const costlyDocuments: Attack = {
  row: 'H1',
  title: 'a document that costs more to check than it weighs',

  async probe({ serve, say, nodes }) {
    await observeEach(() => serve({ env: nodes.env }), SMALL.map(observed), say);
    const bounded = await serve({ env: nodes.env, heapMb: HEAP_MB });
    const { what, ...killer } = observed(KILLER);
    say(
      await observe(bounded, { ...killer, what: `${what} on a heap of ${HEAP_MB} MB`, patienceMs: 60_000 }),
    );
  },

  async full({ target, over, got }) {
    const texts = new Map<Variant, string>();
    const textOf = (variant: Variant): string => {
      const text = texts.get(variant) ?? variant.args();
      texts.set(variant, text);
      return text;
    };
    const variants = [...SMALL, ...LARGE];
    await inParallel(over, AT_ONCE, async (turn) => {
      const variant = variants[turn % variants.length] as Variant;
      const { code } = await callTool(target.http, Token.reader, variant.tool, textOf(variant));
      got(code);
      if (code === 'RATE_LIMITED') await sleep(100);
    });
  },
};

function observed({ name, tool, args }: Variant): Observed {
  const text = args();
  return {
    what: `${name} (${sized(text.length)})`,
    request: ({ http }) => callTool(http, Token.reader, tool, text),
  };
}
