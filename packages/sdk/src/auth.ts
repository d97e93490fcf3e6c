/**
 * Credentials. A dev credential is a name and nothing else, so the SDK may write one for another name; a real token
 * stands for one sender and is never used for another.
 */

import { fail, given, validateRequiredField, validateTexts } from './arguments.js';
import { MacpIdentityMismatchError } from './errors.js';

/** A credential, made by `Auth`. */
export interface AuthConfig {
  /** Sent as `authorization: Bearer <token>`. */
  readonly bearerToken?: string;
  /** Whom the token probably belongs to; filled into envelopes. */
  readonly senderHint?: string;
  /** Whom the token certainly belongs to; another explicit sender is refused before anything is sent. */
  readonly expectedSender?: string;
  /** True for a bare name, which only a server in dev mode accepts. */
  readonly dev?: boolean;
}

/** Makes credentials. */
export const Auth = {
  /** The name of an agent, for a server in dev mode, which accepts any name. */
  devAgent(agentId: string): AuthConfig {
    validateRequiredField('agentId', agentId);
    validateHeader('agentId', agentId);
    return { bearerToken: agentId, senderHint: agentId, dev: true };
  },

  /** A real token. The second argument says whose it is, as far as the caller knows. */
  bearer(
    token: string,
    owner?: string | { readonly expectedSender?: string; readonly senderHint?: string },
  ): AuthConfig {
    validateRequiredField('token', token);
    validateHeader('token', token);
    if (typeof owner === 'string') return { bearerToken: token, senderHint: owner };
    if (owner === undefined) return { bearerToken: token };
    const { expectedSender, senderHint } = given('owner', owner);
    validateTexts({ expectedSender, senderHint });
    return { bearerToken: token, ...owner };
  },
} as const;

/** Who speaks and with what, once defaults, explicit sender and explicit credential are put together. */
export interface Identity {
  readonly sender: string;
  readonly auth: AuthConfig | undefined;
}

/** A credential given for one call must fit its sender; a default dev credential follows the sender. */
export function resolveIdentity(
  defaults: AuthConfig | undefined,
  explicit: AuthConfig | undefined,
  sender: string | undefined,
): Identity {
  validateAuth(explicit);
  const auth = explicit ?? defaults;
  const owner = ownerOf(auth);
  if (sender !== undefined) validateRequiredField('sender', sender);
  if (sender === undefined || sender === owner) return { sender: owner, auth };
  if (auth?.dev && explicit === undefined) return { sender, auth: Auth.devAgent(sender) };
  if (owner !== '') throw new MacpIdentityMismatchError(owner, sender);
  return { sender, auth };
}

/** The sender that a credential stands for, or an empty text when it is not known. */
export function ownerOf(auth: AuthConfig | undefined): string {
  return auth?.expectedSender ?? auth?.senderHint ?? '';
}

/** A bare name, or anything else that `Auth` has not made, would be sent as no credential at all. */
export function validateAuth(auth: AuthConfig | undefined): void {
  if (auth === undefined) return;
  const { bearerToken, expectedSender, senderHint } = given('auth', auth);
  validateTexts({
    'auth.bearerToken': bearerToken,
    'auth.expectedSender': expectedSender,
    'auth.senderHint': senderHint,
  });
  if (bearerToken !== undefined) validateHeader('auth.bearerToken', bearerToken);
}

/** What a header can carry. The message does not show it: it is a secret. */
function validateHeader(name: string, value: string): void {
  if (!/^[\x20-\x7e]+$/.test(value) || value !== value.trim())
    fail(name, 'must be printable ASCII, without a line break or a space at its ends');
}
