/**
 * A session that the owner of a working session opened moves that working session when it ends. The session records the
 * binding; `BoundWork` does what follows from it.
 */
import type { JsonObject } from '../log/json.js';

/** Only the server binds, never a client, so the binding is part of the command and not of the envelope. */
export interface SessionBinding {
  readonly worklog: string;
  readonly requestType: string;
  /** The number of the last context entry that is handed over. */
  readonly upTo: number;
  /** The runtime commits for the owner as soon as the target has answered. */
  readonly autoCommit: boolean;
}

export function bindingFacts({ worklog, requestType, upTo, autoCommit }: SessionBinding): JsonObject {
  return { worklog, request_type: requestType, up_to: upTo, auto_commit: autoCommit };
}

export function bindingFromFacts(facts: JsonObject): SessionBinding {
  return {
    worklog: String(facts.worklog),
    requestType: String(facts.request_type),
    upTo: Number(facts.up_to),
    autoCommit: facts.auto_commit === true,
  };
}
