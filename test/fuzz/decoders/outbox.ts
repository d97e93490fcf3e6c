/** The bookmark of the webhooks, as it is found in the data folder after whatever happened to that file. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFields } from '@handover/core';
import { BEGINNING } from '@handover/engine';
import { Outbox, readDeadLetters } from '../../../packages/server/src/effects/webhooks/outbox.js';
import { silentLog } from '../../../packages/server/src/observe/log.js';
import { decoderTarget } from '../decoder-target.js';
import { temporaryFolder } from '../temporary.js';
import { type Json, json } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';

const EVENT: Json = {
  id: 'e1',
  type: 'handoff.offered',
  at: 1_700_000_000_000,
  tenant: 'default',
  data: { handoffId: 's:h1', macpSessionId: 's', from: 'alice', to: 'bob', status: 'pending' },
};
const STORED: Json = {
  format: 'handover-webhooks@2',
  cursor: '17',
  pending: [{ event: EVENT, endpointId: 'w1', attempts: 1, nextAt: 1_700_000_000_500 }],
  dead: [
    {
      event: EVENT,
      endpointId: 'w1',
      url: 'https://a.example',
      attempts: 9,
      failedAt: 1_700_000_001_000,
      reason: 'HTTP 500',
    },
  ],
};
const folder = temporaryFolder();

export const outbox = decoderTarget({
  name: 'webhook-outbox',
  generate(random) {
    const older: Json = { ...STORED, format: 'handover-webhooks@1', cursor: 17 };
    const right = random.oneIn(4) ? older : STORED;
    return jsonText(random, random.oneIn(10) ? json(random) : mutateJson(random, right));
  },
  check(input) {
    writeFileSync(join(folder, 'webhooks.json'), String(input));
    const dead = readDeadLetters(folder);
    const loaded = new Outbox(folder, BEGINNING, silentLog);
    loaded.close();
    rmSync(join(folder, 'webhooks.json.unreadable'), { force: true });
    if (typeof loaded.cursor !== 'string') return 'the cursor is no text';
    const all = [...loaded.pending, ...loaded.dead, ...dead] as readonly unknown[];
    return all.every(isLetter) ? undefined : 'something that is no delivery passes for one';
  },
});

/** What whoever delivers or prints it takes for granted. */
function isLetter(value: unknown): boolean {
  if (!isFields(value) || !isFields(value.event) || !isFields(value.event.data)) return false;
  const { event, endpointId, attempts } = value;
  const texts = [event.id, event.type, event.tenant, endpointId];
  return (
    texts.every((text) => typeof text === 'string') &&
    typeof event.at === 'number' &&
    typeof attempts === 'number'
  );
}
