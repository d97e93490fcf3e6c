import { MacpSessionError } from '../errors.js';
import { validateId } from '../validation.js';

/** Whom a handoff may be offered to: somebody else than who offers it, who takes part as far as that is known here. */
export function validateTarget(
  argument: string,
  target: string,
  sender: string,
  participants: readonly string[] | undefined,
): void {
  validateId(argument, target);
  if (target === sender)
    throw new MacpSessionError(`${argument} "${target}" is the one who offers`, argument);
  if (participants && !participants.includes(target))
    throw new MacpSessionError(
      `${argument} "${target}" is not among the participants of the session`,
      argument,
    );
}
