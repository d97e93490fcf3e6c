/** Keys of working sessions that the server makes: `shop-20261115-k3v9`. */
import type { Codec } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Connection } from '../connection.js';
import type { HandoffDependencies } from './dependencies.js';
import { worklogRef } from './worklogs.js';

/** Crockford's base32: no letter that looks like another one. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const MOST_CHARACTERS = 60;
/** `-yyyymmdd-xxxx`, or four letters more. */
const TAIL_CHARACTERS = 18;
/** After so many taken ones the tail is longer. */
const SHORT_ATTEMPTS = 20;

/** The same for the same request on the same day; with another attempt another one. */
export function madeKey({ project, at, id, attempt }: KeyParts, codec: Codec): string {
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
  const digest = Buffer.from(codec.sha256(codec.utf8(`${id}\n${attempt}`)), 'hex');
  const letters = [...digest.subarray(0, attempt > SHORT_ATTEMPTS ? 8 : 4)]
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join('');
  return `${keyName(project)}-${day}-${letters}`;
}

export interface KeyParts {
  /** The name of the project, if there is one. */
  readonly project: string | undefined;
  readonly at: number;
  /** Of the request. */
  readonly id: string;
  readonly attempt: number;
}

/** What keys of a project begin with. */
export function keyName(project: string | undefined): string {
  const name = (project ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_CHARACTERS - TAIL_CHARACTERS)
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'work' : name;
}

/** A key that nobody has yet, for a request. */
export async function freeKey(
  { engine, codec, now }: HandoffDependencies,
  { tenant }: Principal,
  connection: Pick<Connection, 'project'> | undefined,
  id: string,
  first = 1,
): Promise<string> {
  const parts = { project: connection?.project?.name, at: now(), id };
  for (let attempt = first; ; attempt++) {
    const key = madeKey({ ...parts, attempt }, codec);
    if (!(await engine.query(worklogRef(tenant, key)))) return key;
  }
}
