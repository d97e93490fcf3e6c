/**
 * `npm run sim:mutants`: breaks the built engine in one line after another, and asks of the simulation that it finds each.
 * The list is what went wrong, or nearly did, in engines with several writers. Not in it: that a conflict keeps the cache (every
 * commit brings the tails, so nothing is lost by it), and that `install` moves a stream back (every read checks; two-nodes.test.ts
 * counts the readings); nor what two followers in one moment share, which that test times; nor that any node wakes what is
 * long late, since here somebody always asks.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Mutant {
  readonly file: string;
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const MUTANTS: readonly Mutant[] = [
  m('engine', 'what the tails bring is not asked for by message id', 'else if (shared)', 'else if (false)'),
  m('engine', 'tails are not folded', 'this.#advance(streams.get(key), tail, queued);', ';'),
  m('engine', 'busy streams are decided all the same', 'input.skipped.has(key)', 'false'),
  m(
    'engine',
    'answers leave before the append',
    'appends = batch.appends();',
    'appends = batch.appends(); for (const [item, answer] of answers) item.answer(answer);',
  ),
  m(
    'engine',
    'what was not stored is answered as accepted',
    'return this.#notStored(queued, outcome.reason);',
    'return void answers.forEach(([item, answer]) => item.answer(answer));',
  ),
  m(
    'engine',
    'an unknown outcome is answered as a refusal',
    'this.#lost(fault, batch);',
    "{ for (const item of batch) item.answer({ ok: false, rejection: { code: 'X', message: '' }, step: 0 }); }",
  ),
  m('batch', 'install forgets the message ids', 'base.recent.add(entry.messageId, entry.seq);', ';'),
  m('batch', 'a refused step leaves the steps before it', 'this.#restore();', ';'),
  m('batch', 'ids of the same batch are not known', 'this.#fresh.set(', 'void ('),
  m(
    'batch',
    'no message is ever a repetition',
    'return this.#fresh.get(id) ?? this.#seen.get(id);',
    'return undefined;',
  ),
  m(
    'recent-ids',
    'recent ids are never known',
    'return this.#forgot || this.#seqById.has(messageId);',
    'return false;',
  ),
  m(
    'stream-cache',
    'a load stops one entry short',
    'for (const entry of entries) {',
    'for (const entry of entries.length > 1 ? entries.slice(0, -1) : entries) {',
  ),
  m(
    'stream-cache',
    'absence is believed without asking',
    'if (known && known.head.seq >= atLeast)',
    'if (known && (known.state === undefined || known.head.seq >= atLeast))',
  ),
  m('stream-cache', 'what the caller knows of is ignored', 'known.head.seq >= atLeast', 'atLeast < Infinity'),
  m('subscription', 'a tail goes on over a gap', 'if (entry.seq !== hub.lastSeq + 1)', 'if (false)'),
  m(
    'subscription',
    'news of others leave the tail as it is',
    'hub.lastSeq = seq;\n            this.#tails.empty(hub.tail);',
    'hub.lastSeq = seq;',
  ),
  m(
    'feed',
    'the cursor moves before the items are delivered',
    'return items;\n    }\n    #read',
    'return items.slice(1);\n    }\n    #read',
  ),
  m(
    'due-timers',
    'timers go by the clock of the node',
    'return this.#env.store.shared?.now() ?? this.#env.now();',
    'return this.#env.now() - 600_000;',
  ),
  m('engine', 'subscribers do not listen before they read', 'this.#news.hold();\n        try', 'try'),
  m('engine', 'the clock of the node dates entries', 'now: input.now ?? now', 'now'),
];

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = `${root}packages/engine/dist`;
const copy = `${root}packages/engine/dist-mutant`;
const seeds = Number(process.argv[2] ?? 600);
const only = process.argv[3];
let missed = 0;
try {
  for (const { file, name, from, to } of MUTANTS) {
    if (only !== undefined && !name.includes(only)) continue;
    rmSync(copy, { recursive: true, force: true });
    cpSync(built, copy, { recursive: true });
    const path = `${copy}/${file}.js`;
    const text = readFileSync(path, 'utf8');
    if (!text.includes(from)) {
      missed++;
      console.log(`not there  ${file}: ${name}`);
      continue;
    }
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    const args = [
      '--import',
      'tsx',
      'test/sim/run.ts',
      '--seeds',
      String(seeds),
      '--stop-at',
      '1',
      '--no-shrink',
    ];
    const env = { ...process.env, SIM_ENGINE: `${copy}/index.js` };
    const { stdout, status } = spawnSync(process.execPath, args, {
      cwd: root,
      env,
      encoding: 'utf8',
      timeout: 600_000,
    });
    const first = stdout.split('\n')[0] ?? '';
    if (status === 0) missed++;
    console.log(
      `${status === 0 ? 'MISSED    ' : 'caught    '} ${file}: ${name}${status === 0 ? '' : `: ${first.slice(0, 120)}`}`,
    );
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${missed} of ${MUTANTS.length} missed`);
process.exitCode = missed > 0 ? 1 : 0;

function m(file: string, name: string, from: string, to: string): Mutant {
  return { file, name, from, to };
}
