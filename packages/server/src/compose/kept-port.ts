/**
 * The server beside assistants comes and goes, and takes any free port. Links to its review pages should outlive it, and
 * so should what browsers keep for them by origin: it asks for the port that it had before.
 */
import { join } from 'node:path';
import { FaultCode, HandoverError } from '@handover/core';
import type { HttpDoor } from '../doors/http/door.js';
import type { Listening } from '../doors/http/listener.js';
import type { Log } from '../observe/log.js';
import { writeFileAtomic } from '../platform/atomic-file.js';
import { plainText } from '../platform/plain-file.js';

const FILE = 'local-http-port';
const MAX_BYTES = 64;

export async function listenOnKeptPort(http: HttpDoor, folder: string, log: Log): Promise<Listening> {
  const path = join(folder, FILE);
  const kept = readPort(path);
  const again = kept === undefined ? undefined : await attempt(http, kept, log);
  if (again) return again;
  const listening = await http.listen();
  writeFileAtomic(path, `${listening.port}\n`);
  return listening;
}

async function attempt(http: HttpDoor, port: number, log: Log): Promise<Listening | undefined> {
  try {
    return await http.listen(port);
  } catch (thrown) {
    if (HandoverError.from(thrown).code !== FaultCode.CONFIGURATION) throw thrown;
    const message = 'the port of this folder is taken: links to review pages that were given out do not work';
    log.warn('http.port_taken', { port, message });
    return undefined;
  }
}

function readPort(path: string): number | undefined {
  const text = plainText(path, MAX_BYTES, 'own')?.trim() ?? '';
  const port = Number(text);
  return /^[0-9]{1,5}$/.test(text) && port > 0 && port < 65_536 ? port : undefined;
}
