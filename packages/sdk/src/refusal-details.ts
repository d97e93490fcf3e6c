/** What a refusal carries for programs: the JSON in MACPError.details, and in the trailer of the same bytes. */
import { isFields } from '@handover/core';

/** One reason for which a policy said no. */
export interface PolicyDenial {
  /** An open set: treat a code that you do not know as `unspecified`. */
  readonly code: string;
  /** The reason in words. */
  readonly message: string;
  /** Whom it is about; empty when nobody in particular is meant. */
  readonly participants: readonly string[];
}

export interface RefusalDetails {
  readonly reasons: readonly string[];
  readonly denials: readonly PolicyDenial[];
  readonly retryAfterMs: number | undefined;
}

const NOTHING: RefusalDetails = { reasons: [], denials: [], retryAfterMs: undefined };

export function readDetails(details: Uint8Array): RefusalDetails {
  const json = details.length === 0 ? undefined : parsed(details);
  if (!isFields(json)) return NOTHING;
  const denials = Array.isArray(json.denials) ? json.denials.filter(isFields).map(readDenial) : [];
  const reasons = texts(json.reasons);
  const wait = json.retry_after_ms;
  return {
    reasons: reasons.length > 0 ? reasons : denials.map(({ message }) => message),
    // An older runtime gives sentences alone.
    denials: denials.length > 0 ? denials : reasons.map(unspecified),
    retryAfterMs: typeof wait === 'number' && wait >= 0 ? wait : undefined,
  };
}

function readDenial({ code, message, participants }: Readonly<Record<string, unknown>>): PolicyDenial {
  return {
    code: typeof code === 'string' ? code : 'unspecified',
    message: typeof message === 'string' ? message : '',
    participants: texts(participants),
  };
}

function unspecified(message: string): PolicyDenial {
  return { code: 'unspecified', message, participants: [] };
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Details are free-form: another runtime may put something else there. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
