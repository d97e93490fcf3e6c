/** The part of `subscriptions/listen` that has to be authorised: the addresses it names. */
import { type Fields, isFields } from '@handover/core';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { fixedLimits } from '../../config/fixed-limits.js';

const MAX_URIS = fixedLimits.mcpAddressesPerListener.value;

type Request = Pick<JSONRPCRequest, 'params'>;

export const isListen = ({ method }: { readonly method: string }): boolean =>
  method === 'subscriptions/listen';

/** Asked before any of them is looked up. */
export function namesTooMany({ params }: Request): string | undefined {
  const uris = filterOf(params)?.resourceSubscriptions;
  if (!Array.isArray(uris) || uris.length <= MAX_URIS) return undefined;
  return `Invalid params: resourceSubscriptions names ${uris.length} addresses, and a listener follows at most ${MAX_URIS}`;
}

/** Each once. Whatever is not a list of texts is left to the SDK, which refuses it. */
export function listenUris({ params }: Request): ReadonlySet<string> {
  const uris = filterOf(params)?.resourceSubscriptions;
  const texts = Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === 'string') : [];
  return new Set(texts);
}

export function wantsLists({ params }: Request): boolean {
  return filterOf(params)?.resourcesListChanged === true;
}

export function withUris<Message extends Request>(message: Message, uris: readonly string[]): Message {
  const filter = filterOf(message.params);
  if (!Array.isArray(filter?.resourceSubscriptions)) return message;
  const notifications = { ...filter, resourceSubscriptions: [...uris] };
  return { ...message, params: { ...message.params, notifications } };
}

function filterOf(params: JSONRPCRequest['params']): Fields | undefined {
  const filter: unknown = params?.notifications;
  return isFields(filter) ? filter : undefined;
}
