// npm run worker -- --offers 1000 --kills 20 [--python]: the long form of worker-kills.test.ts, printing what it saw as JSON.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pythonInterpreter } from '../../python/run-python.js';
import { killRun, pythonWorker, TYPESCRIPT } from './kill-run.js';

const { values } = parseArgs({
  options: {
    offers: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '20' },
    life: { type: 'string', default: '1500' },
    python: { type: 'boolean', default: false },
  },
});
const interpreter = values.python ? await pythonInterpreter() : undefined;
if (values.python && !interpreter) throw new Error('there is no Python to run the worker with');
const result = await killRun({
  offers: Number(values.offers),
  kills: Number(values.kills),
  maxLifeMs: Number(values.life),
  program: interpreter ? pythonWorker(interpreter) : TYPESCRIPT,
  folder: mkdtempSync(join(tmpdir(), 'handover-worker-')),
});
console.log(JSON.stringify(result, null, 2));
if (result.repeated === 0) console.error('invalid: no kill interrupted a decision');
process.exit(result.repeated > 0 && result.violations.length === 0 ? 0 : 1);
