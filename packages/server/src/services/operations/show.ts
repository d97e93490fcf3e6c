/**
 * How a record is shown to whoever asks.
 *
 * S1. A page gets everything, however large it is, as JSON text: the thread for large documents writes it.
 * S2. `watched` tells a page whether the record is bound to the chain, which decides when the next step may begin; an agent, whether the
 *     server sees the chain now.
 * S3. An agent gets a value. Documents that are too large for a model are left out of it, with a word on where they are.
 */
import { isOver, type JsonObject, listOf, member, OperationStatus } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { jsonLimits } from '../../config/json-limits.js';
import { parseBounded } from '../../platform/json/parse-bounded.js';
import { mapOutcome, type Outcome } from '../outcome.js';
import { asSeenNow } from './as-seen-now.js';
import { askSoon, chainSightOf } from './chain-sight.js';
import type { OperationDependencies } from './dependencies.js';
import type { ViewParameters } from './derivations.js';
import { asJson, commonView } from './families/common-view.js';
import { FAMILY_SERVICES } from './families/families.js';
import type { Detail } from './families/family.js';
import type { OperationRecord } from './record.js';
import { replacesView } from './replaced.js';
import { twinView } from './twin.js';

const DEPTH = 1_000;
const FOR_AGENTS = jsonLimits(DEPTH, fixedLimits.documentBytes.value);

/** JSON text. */
export async function showToPage(
  deps: OperationDependencies,
  record: OperationRecord,
  sealed?: unknown,
  /** What only this answer says. */
  extra: JsonObject = {},
): Promise<Outcome<Uint8Array>> {
  const { chainId, watched } = record.state;
  // Who is about to sign is told the truth of this minute, at the next look at the page.
  if (deps.chains.reads(chainId) && !isOver(record.state)) askSoon(deps, chainId);
  const { context, ...rest } = await parametersOf(deps, record, 'full');
  const parameters = { ...rest, context: { ...context, common: { ...context.common, watched } } };
  const shown = await deps.documents.derive(record, 'viewJson', {
    ...parameters,
    ...(sealed !== undefined && { sealed }),
  });
  return mapOutcome(shown, (json) => withMembers(json, extra));
}

/** A view is the text of an object that is not empty; it may be too large to be parsed here. */
function withMembers(json: Uint8Array, extra: JsonObject): Uint8Array {
  if (Object.keys(extra).length === 0) return json;
  return Buffer.concat([json.subarray(0, -1), Buffer.from(`,${JSON.stringify(extra).slice(1)}`)]);
}

export async function showToAgent(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<Outcome<JsonObject>> {
  const bytes = await deps.documents.largeBytes(record);
  if (bytes === undefined)
    return mapOutcome(
      await deps.documents.derive(record, 'view', await parametersOf(deps, record, detail)),
      asJson,
    );
  const parameters = await parametersOf(deps, record, 'metadata');
  const json = await deps.documents.derive(record, 'viewJson', parameters);
  if ('rejection' in json) return json;
  const parsed = parseBounded(json.value, FOR_AGENTS);
  const known = 'value' in parsed ? (parsed.value as JsonObject) : stateOf(parameters);
  return { value: { ...known, omitted: { bytes, why: TOO_LARGE } } };
}

/** And what became of another request for the same. */
export async function showWithTwin(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<Outcome<JsonObject>> {
  const twin = await twinView(deps, record);
  return mapOutcome(await showToAgent(deps, record, detail), (view) => ({ ...view, ...twin }));
}

const TOO_LARGE =
  'The documents of this record are too large for a tool result. The page of the record shows them, and its API returns them to whoever has the secret; digest names what is to be signed.';

async function parametersOf(
  deps: OperationDependencies,
  record: OperationRecord,
  detail: Detail,
): Promise<ViewParameters> {
  const state = asSeenNow(deps, record.state);
  // An expired record shows only metadata.
  const full = detail === 'full' && state.status !== OperationStatus.Expired;
  const needed = full || FAMILY_SERVICES[state.family].metadataNeedsEvents(state);
  const events = needed ? await deps.documents.events(record) : [];
  const chainSight = chainSightOf(deps, state);
  const common = {
    ...commonView(state),
    watched: chainSight === 'watched',
    chainSight,
    ...(await replacesView(deps, record)),
    ...(await receiptViews(deps, record)),
  };
  return { family: state.family, context: { state, common, events, full } };
}

/** The newest, and what the others said. */
async function receiptViews({ receipts }: OperationDependencies, record: OperationRecord) {
  const all = await receipts.all(record);
  const newest = all.at(-1);
  if (!newest) return {};
  const rows = all.map((receipt) => {
    const { no, issued_at, outcome, effect } = receipt;
    return { no, issued_at, outcome, effect, digest: receipts.digestOf(receipt) };
  });
  return { receipt: newest, receipts: rows };
}

/** A row of a list: metadata, and of a record with large documents only what its state says. */
export async function showInList(
  deps: OperationDependencies,
  record: OperationRecord,
): Promise<{ readonly row: JsonObject; readonly largeBytes: number }> {
  const largeBytes = (await deps.documents.largeBytes(record)) ?? 0;
  const parameters = await parametersOf(deps, record, 'metadata');
  const known = stateOf(parameters);
  if (largeBytes > 0)
    return { row: { ...withoutReceipts(known), omitted: { bytes: largeBytes, why: TOO_LARGE } }, largeBytes };
  const view = await deps.documents.derive(record, 'view', parameters);
  return { row: withoutReceipts('rejection' in view ? known : asJson(view.value)), largeBytes };
}

/** A list names the newest receipt; it is had by its number. */
function withoutReceipts({ receipt: _receipt, receipts, ...row }: JsonObject): JsonObject {
  const newest = listOf(receipts).at(-1);
  if (newest === undefined) return row;
  return { ...row, receipt: { no: Number(member(newest, 'no')), digest: String(member(newest, 'digest')) } };
}

/** What can be said of a record without its documents. */
function stateOf({ context: { state, common } }: ViewParameters): JsonObject {
  return { id: state.id, family: state.family, ...common } as unknown as JsonObject;
}
