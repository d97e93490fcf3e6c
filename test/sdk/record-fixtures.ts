/**
 * Records the projection fixtures of all modes: plays each scenario on a real server, writes down the history as the server
 * delivers it, and what the projection says of it. Run it where a scenario is new, and read what it wrote before it is
 * committed: `npx tsc -b && node --import tsx test/sdk/record-fixtures.ts`. Existing files stay unless `--again` is given.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Envelope, envelopeToJson } from '@handover/core';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { startServerProcess } from '../kit/server-process.js';
import { SCENARIOS } from './support/scenarios.js';
import { projectionOf, told } from './support/told.js';

const again = process.argv.includes('--again');
const server = await startServerProcess();
try {
  for (const [path, scenario] of Object.entries(SCENARIOS)) {
    const file = fileURLToPath(new URL(`./projection-fixtures/${path}.json`, import.meta.url));
    if (existsSync(file) && !again) continue;
    const transcript = await scenario.play(server.grpc);
    const projection = projectionOf(transcript[0]?.mode ?? '');
    for (const envelope of transcript) projection.applyEnvelope(envelope);
    if (projection.phase !== scenario.phase)
      throw new Error(`${path} ends in ${projection.phase}, not in ${scenario.phase}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      `${JSON.stringify(fixture(path, scenario.about, transcript, told(projection)), null, 2)}\n`,
    );
    process.stdout.write(`${path}\n`);
  }
} finally {
  await server.stop('SIGTERM');
}

function fixture(path: string, about: string, transcript: readonly Envelope[], expected: unknown) {
  const json = transcript.map((envelope) => envelopeToJson(envelope, nodeCodec));
  return { name: path, about, transcript: json, expected };
}
