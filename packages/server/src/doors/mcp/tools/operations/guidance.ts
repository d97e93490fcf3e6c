/** Sentences that agents must read word for word. Each is in the tool descriptions that it concerns. */
export const ROUTING =
  'Use it for general local-wallet transactions. Do not use it to start, run, or queue XDaLa sessions — route those to create_xdala_session_start_handoff.';

export const SESSION_PATH =
  'This is the path for any start / run / launch / execute / queue of a session — whether from a deployed XRC-729 workflow, a runtime orchestration, or a bundle-deploy result.';

export const TERMINOLOGY =
  'Canonical request terminology: sessions[].orchestration, sessions[].ostcId, sessions[].stepId, sessions[].payload, sessions[].maxTotalGas. Do not use entryStepId — it is not the Workbench Session Start field.';

export const INSPECT_FIRST =
  "Before creating a session-start handoff for a deployed XRC-729 workflow: inspect the runtime, identify ostcId and the likely entry step, resolve that step's XRC-137 rule, derive required payload fields from the XRC-137 payload schema (fields with defaults are optional), and present required + optional fields to the user.";

export const NO_GUESSES =
  'Do not call the tool with guessed payload values; ask for values or explicit permission to use demo values first.';

export const SHOW_URL =
  'Always show the returned xdalaUrl to the user — never replace it with a generic /operations/op_... link.';

export const OWNERSHIP =
  'The owner of the XRC-729 contract is not the owner of a session: never call it that of a session that has not started.';

export const NO_KEYS =
  'The server never receives keys, never signs and never submits: the person reviews in the browser and signs with their own wallet.';

export const EFFECT_NONE =
  'Only effect `none` means that nothing was paid. `unknown` means it may have been: wait, or ask the person; do not prepare it again. Status `expired` means expired, unless a transaction turns up. A request with effect `none` can still be signed until it is over: to ask again, name it in `replaces`.';

export const CANCEL_WAITS =
  'While a wallet prompt is open it is not cancelled yet: closing is shown, and wait_for_operation tells how it ends.';

export const WARNINGS =
  'Read warnings before you show the link: SAME_AS (an earlier request of yours for the same was paid, or may be: showing this one may make the person pay twice; declined: they said no), PROMPT_MAY_BE_OPEN (tell the person to refuse the prompt of the replaced request in the wallet first, or both are paid), UNWATCHED, CHAIN_NOT_READ, CHAIN_SILENT and CHAIN_DIFFERS (this server cannot verify what is sent now; watched is false), WORKBENCH_CANNOT_READ.';

export const URL_ONCE =
  'The URL is in this answer only; no other tool repeats it. Show it to the user exactly as it is. Give an idempotencyKey: if the answer is lost, the same call with the same key gives another link to the same request, where a call without it would make a second request.';
