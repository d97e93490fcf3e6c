/**
 * Which addresses are told about handoffs and operations. Only the operator names them: in a file, or a single one in
 * the environment. Nothing that a client sends can add one. An address is https; in dev mode a receiver on this machine
 * may also be called over plain HTTP.
 */

import { createHash } from 'node:crypto';
import { isFields } from '@handover/core';
import { isTextList } from '../auth/capabilities.js';
import { isIdentityText } from '../auth/identity-text.js';
import { SECRET_RULE, signerOf } from '../effects/webhooks/signature.js';
import { REPEATING_EVENTS, type WebhookEndpoint, WebhookEventType } from '../effects/webhooks/types.js';
import { isLoopback } from './address.js';
import { fixedLimits } from './fixed-limits.js';
import { readNamedFile, warnIfReadableByOthers } from './read-file.js';
import type { SettingReader } from './setting-reader.js';
import type { SettingName } from './settings.js';

const MAX_ENDPOINTS = fixedLimits.webhookEndpoints.value;
const FIELDS = new Set(['url', 'secret', 'secrets', 'events', 'tenant']);
const EVENT_TYPES: readonly string[] = Object.values(WebhookEventType);
const BY_DEFAULT = Object.values(WebhookEventType).filter((type) => !REPEATING_EVENTS.has(type));

export function readWebhooks(reader: SettingReader, dev: boolean): readonly WebhookEndpoint[] {
  if (reader.isSet('HANDOVER_WEBHOOKS_FILE')) return readFile(reader, dev);
  const url = reader.given('HANDOVER_WEBHOOK_URL');
  const secret = reader.given('HANDOVER_WEBHOOK_SECRET');
  if (url === undefined && secret === undefined) return [];
  if (url === undefined) {
    reader.problem('HANDOVER_WEBHOOK_URL', 'is missing: HANDOVER_WEBHOOK_SECRET is set');
    return [];
  }
  const read = readEndpoint({ url, secret }, dev);
  if (typeof read !== 'string') return Object.freeze([read]);
  const name: SettingName = read.startsWith('secret') ? 'HANDOVER_WEBHOOK_SECRET' : 'HANDOVER_WEBHOOK_URL';
  reader.problem(name, read);
  return [];
}

function readFile(reader: SettingReader, dev: boolean): readonly WebhookEndpoint[] {
  const name = 'HANDOVER_WEBHOOKS_FILE';
  const text = readNamedFile(reader, name);
  if (text === undefined) return [];
  warnIfReadableByOthers(reader, name);
  const list = webhooksIn(text);
  if (list === undefined || list.length > MAX_ENDPOINTS) {
    reader.problem(name, `must hold JSON: {"webhooks": [...]} with at most ${MAX_ENDPOINTS} of them`);
    return [];
  }
  const endpoints: WebhookEndpoint[] = [];
  for (const [index, item] of list.entries()) {
    const read = readEndpoint(item, dev);
    if (typeof read === 'string') reader.problem(name, `webhooks[${index}]: ${read}`);
    else if (endpoints.some(({ id }) => id === read.id))
      reader.problem(name, `webhooks[${index}]: its url and tenant are there twice`);
    else endpoints.push(read);
  }
  return Object.freeze(endpoints);
}

function webhooksIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) && Array.isArray(value.webhooks) ? value.webhooks : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The endpoint, or what is wrong with it. A flaw of one field begins with the name of the field. No value is repeated.
 */
function readEndpoint(item: unknown, dev: boolean): WebhookEndpoint | string {
  if (!isFields(item)) return 'must be an object with url and secret';
  const unknown = Object.keys(item).filter((field) => !FIELDS.has(field));
  if (unknown.length > 0) return `has fields that mean nothing: only ${[...FIELDS].join(', ')} do`;
  const { url, secret, secrets = [secret], events = BY_DEFAULT, tenant = 'default' } = item;
  const urlFlaw = typeof url === 'string' ? flawOfUrl(url, dev) : 'must be text';
  if (typeof url !== 'string' || urlFlaw) return `url ${urlFlaw}`;
  const sign = isTextList(secrets) ? signerOf(secrets) : undefined;
  if (!sign) return `secret must be ${SECRET_RULE}`;
  if (!isTextList(events) || !events.every((event) => EVENT_TYPES.includes(event)))
    return `events must be out of ${EVENT_TYPES.join(', ')}`;
  if (!isIdentityText(tenant)) return 'tenant must be 1 to 256 bytes without control characters';
  const id = createHash('sha256').update(`${tenant}\n${url}`).digest('hex').slice(0, 16);
  return Object.freeze({ id, url, events: new Set(events as WebhookEventType[]), tenant, sign });
}

function flawOfUrl(text: string, dev: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an https address';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const here = dev && (host === 'localhost' || isLoopback(host));
  return url.protocol === 'https:' || here ? undefined : 'must be an https address';
}
