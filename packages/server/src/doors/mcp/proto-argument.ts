/**
 * An argument that is called `__proto__`, kept on its way through the SDK. The SDK copies the arguments of a call, and its copy
 * drops that name without a word, so the call would go on as if it had not been said. It travels under a name that no tool
 * and no prompt knows, and is refused like every other unknown one.
 *
 * Only the arguments themselves are copied there; what they hold arrives as it was sent.
 */
import { isFields } from '@handover/core';

const NAME = '__proto__';
/** Whoever sends this name itself is refused, too. */
const STAND_IN = ' __proto__';

/** A message or a batch, as it was parsed: nobody else holds it yet. Costs two looks for a message without such an argument. */
export function keepProtoArgument(message: unknown): void {
  if (Array.isArray(message)) for (const one of message) keepIn(one);
  else keepIn(message);
}

function keepIn(message: unknown): void {
  if (!isFields(message) || !isFields(message.params)) return;
  const { params } = message as { params: Record<string, unknown> };
  const args = params.arguments;
  if (!isFields(args) || !Object.hasOwn(args, NAME)) return;
  params.arguments = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name === NAME ? STAND_IN : name, value]),
  );
}

/** The arguments of a call under the names that the sender wrote. */
export function argumentsAsSent<Given>(
  args: Readonly<Record<string, Given>>,
): Readonly<Record<string, Given>> {
  if (!Object.hasOwn(args, STAND_IN)) return args;
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name === STAND_IN ? NAME : name, value]),
  );
}
