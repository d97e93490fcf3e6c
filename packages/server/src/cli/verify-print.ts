/** What `handover verify` says, to people and (with --json) to programs. */
import type {
  AnyOperationReceipt,
  Flaw,
  OperationReceipt,
  ReceiptVerdict,
  SoundStream,
} from '@handover/core';
import type { LocatedFlaw } from '../proof/located-flaw.js';
import type { DataReport } from '../proof/verify-data.js';
import { type Output, printable } from './audit-command.js';

type GoodReceipt = Extract<ReceiptVerdict, { ok: true }>;

export function printDataReport(path: string, report: DataReport, json: boolean, { out }: Output): void {
  const { flaws, moreFlaws: more_flaws, ...counts } = report;
  const ok = flaws.length === 0;
  if (json) {
    line(out, { ok, kind: 'data', path, ...counts, flaws: flaws.map(located), more_flaws });
    return;
  }
  table(out, `${path}: data`, {
    streams: `${counts.streams} (${list(counts.kinds)})`,
    entries: String(counts.entries),
    sessions: list(counts.sessions),
    position: String(counts.position),
    ...(ok && { lists: 'list tables match the log' }),
  });
  for (const flaw of flaws) out(`FLAW ${flawLine(flaw)}\n`);
  if (more_flaws > 0) out(`and ${more_flaws} flaws more\n`);
  out(
    ok
      ? 'OK. A log that was cut off at its end cannot be told from a shorter one: see --help.\n'
      : 'NOT OK\n',
  );
}

export function printDocumentFlaw(
  path: string,
  kind: string,
  flaw: Flaw,
  json: boolean,
  { out }: Output,
): void {
  if (json) {
    line(out, { ok: false, kind, path, flaws: [flaw] });
    return;
  }
  out(`FLAW ${printable(path)}: ${flawLine(flaw)}\nNOT OK\n`);
}

export function printExport(path: string, verdict: SoundStream, json: boolean, { out }: Output): void {
  const { ref, head, listing, stateHash } = verdict;
  const stream = `${ref.kind}/${ref.id}`;
  const { seq, hash } = head;
  if (json) {
    const said = { tenant: ref.tenant, stream, head: { seq, hash }, state: listing.state };
    line(out, { ok: true, kind: 'export', path, ...said, state_hash: stateHash, flaws: [] });
    return;
  }
  table(out, `${path}: export`, {
    tenant: ref.tenant,
    stream,
    entries: String(seq),
    head: hash,
    state: listing.state,
    ...(stateHash !== undefined && { 'state hash': stateHash }),
  });
  out('OK. An export that was cut off at its end cannot be told from an earlier one: see --help.\n');
}

export function printReceipt(
  path: string,
  { receipt, signer }: GoodReceipt,
  compared: boolean,
  json: boolean,
  { out }: Output,
): void {
  if (json) {
    const ok = signer === 'known';
    line(out, { ok, kind: 'receipt', path, signer, compared, receipt, flaws: [] });
    return;
  }
  const { offer, answer, commitment, frozen, chain, outcome_positive: positive } = receipt;
  table(out, `${path}: receipt`, {
    session: `${receipt.session_id} (tenant ${receipt.tenant}, ${receipt.mode})`,
    outcome: receipt.outcome + (positive === undefined ? '' : positive ? ', positive' : ', negative'),
    ...(offer && {
      offer: `${offer.handoff_id}: ${offer.offered_by} to ${offer.target}, ${time(offer.offered_at)}`,
    }),
    frozen: `${frozen.digest} (${frozen.contexts} contexts, ${frozen.late_contexts} late)`,
    ...(answer && {
      answer: `${answer.disposition} by ${answer.by}${answer.implicit ? ' (time-out)' : ''}, ${time(answer.at)}`,
    }),
    ...(commitment && {
      commitment: `${commitment.action} by ${commitment.by}, ${time(commitment.at)}, ${commitment.hash ?? 'no hash'}`,
    }),
    holder: receipt.holder,
    chain: `entry ${chain.seq}, ${chain.hash}`,
    issued: `${time(receipt.issued_at)}, key ${receipt.key_id}`,
    ...(compared && { log: 'the log gives the same receipt' }),
  });
  out(signer === 'known' ? 'OK: signature valid, signer known\n' : 'signature valid, signer unknown\n');
}

export function printOperationReceipt(
  path: string,
  receipt: AnyOperationReceipt,
  known: boolean,
  json: boolean,
  { out }: Output,
): void {
  if (json) {
    line(out, { ok: known, kind: 'receipt', path, signer: known ? 'known' : 'unknown', receipt, flaws: [] });
    return;
  }
  const { operation_id, family, tenant, outcome, digest, chain_id, chain } = receipt;
  table(out, `${path}: receipt of an operation`, {
    operation: `${operation_id} (tenant ${tenant}, ${family})`,
    ...effectRows(receipt),
    outcome,
    digest: `${digest} on chain ${chain_id}`,
    steps: stepWords(receipt).join(', ') || 'none',
    chain: `entry ${chain.seq}, ${chain.hash}`,
  });
  out(known ? 'OK: signature valid, signer known\n' : 'signature valid, signer unknown\n');
}

/** What the newest of them says is what counts. */
export function printReceiptChain(
  receipts: readonly OperationReceipt[],
  json: boolean,
  { out }: Output,
): void {
  const sorted = [...receipts].sort((a, b) => a.no - b.no);
  const [first, newest] = [sorted[0], sorted.at(-1)];
  if (!first || !newest) return;
  const { operation_id: operation, no, effect, outcome } = newest;
  if (json) {
    line(out, { ok: true, kind: 'receipts', operation, from: first.no, to: no, effect, outcome, flaws: [] });
    return;
  }
  table(out, `receipts ${first.no} to ${no} of ${operation}`, {
    chain: 'each names the one before it',
    effect: `${effect}, as receipt ${no} says`,
    outcome,
    ...(first.no > 1 && { missing: `receipts before ${first.no} were not given` }),
  });
}

const time = (ms: number): string => (ms <= 8.64e15 ? new Date(ms).toISOString() : `${ms} ms`);

/** What moved comes before how it ended: it is what a reader decides by. */
function effectRows(receipt: AnyOperationReceipt): Readonly<Record<string, string>> {
  if (!('effect' in receipt))
    return {
      effect: 'format 1 does not say whether a wallet prompt was open',
      verified: receipt.verification,
    };
  const { effect, basis, no, report_until } = receipt;
  return {
    effect: `${effect}, on the word of ${basis.join(', ')}`,
    receipt: `this was receipt ${no}; the server may have issued a later one until ${time(report_until)}`,
  };
}

function stepWords(receipt: AnyOperationReceipt): readonly string[] {
  if (!('effect' in receipt))
    return receipt.steps.map(({ id, status, tx_hash }) => `${id} ${status} ${tx_hash ?? ''}`.trim());
  return receipt.steps.map(({ id, status, effect, claims }) => {
    const values = claims.map(({ carrier, value }) => carrier ?? value);
    return `${id} ${status} (${effect}) ${values.join(' ')}`.trim();
  });
}

function line(out: Output['out'], value: object): void {
  out(`${JSON.stringify(value)}\n`);
}

function table(out: Output['out'], title: string, rows: Readonly<Record<string, string>>): void {
  out(`${printable(title)}\n`);
  for (const [name, value] of Object.entries(rows)) out(`  ${name.padEnd(11)} ${printable(value)}\n`);
}

function list(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));
  return parts.map(([name, count]) => `${count} ${name}`).join(', ') || 'none';
}

function located({ ref, ...flaw }: LocatedFlaw): object {
  return ref ? { tenant: ref.tenant, stream: `${ref.kind}/${ref.id}`, ...flaw } : flaw;
}

function flawLine({ ref, seq, path, what }: LocatedFlaw): string {
  const where = [
    ...(ref ? [`${ref.tenant} ${ref.kind}/${ref.id}`] : []),
    ...(seq === undefined ? [] : [`entry ${seq}`]),
    ...(path ? [path] : []),
  ];
  return printable(where.length > 0 ? `${where.join(', ')}: ${what}` : what);
}
