/** The part of `subscriptions/listen` that has to be authorised: the addresses it names. */
import { type Fields, isFields } from '@handover/core';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';

export const isListen = ({ method }: { readonly method: string }): boolean =>
  method === 'subscriptions/listen';

/** Whatever is not a list of texts is left to the SDK, which refuses it. */
export function listenUris({ params }: Pick<JSONRPCRequest, 'params'>): readonly string[] {
  const uris = filterOf(params)?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === 'string') : [];
}

export function withUris<Message extends Pick<JSONRPCRequest, 'params'>>(
  message: Message,
  uris: readonly string[],
): Message {
  const filter = filterOf(message.params);
  if (!Array.isArray(filter?.resourceSubscriptions)) return message;
  const notifications = { ...filter, resourceSubscriptions: [...uris] };
  return { ...message, params: { ...message.params, notifications } };
}

function filterOf(params: JSONRPCRequest['params']): Fields | undefined {
  const filter: unknown = params?.notifications;
  return isFields(filter) ? filter : undefined;
}
