// npm run crash -- --kills 1000: the long form of crash.test.ts, printing what it saw as JSON.
import { parseArgs } from 'node:util';
import { killLoop } from './kill-loop.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    clients: { type: 'string', default: '32' },
    life: { type: 'string', default: '300' },
  },
});
const result = await killLoop({
  kills: Number(values.kills),
  clients: Number(values.clients),
  maxLifeMs: Number(values.life),
});
console.log(JSON.stringify(result, null, 2));
const valid = result.accepted > 0 && result.unknowns > 0 && result.kills === Number(values.kills);
if (!valid)
  console.error('invalid: the run killed, acknowledged or left in doubt too little to show anything');
process.exit(valid && result.violations.length === 0 ? 0 : 1);
