/** What `handover verify` says, to people and (with --json) to programs. */
import type { Flaw, Receipt, ReceiptVerdict, SoundStream } from '@handover/core';
import type { LocatedFlaw } from '../proof/located-flaw.js';
import type { DataReport } from '../proof/verify-data.js';
import type { Output } from './conventions/output.js';
import { printable } from './conventions/printable.js';
import { line, table, time } from './print-lines.js';
import { SIGNER_KNOWN, SIGNER_UNKNOWN } from './signer-words.js';

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
  const implicitly = receipt.authority ? 'a person spoke for it' : 'time-out';
  table(out, `${path}: receipt`, {
    session: `${receipt.session_id} (tenant ${receipt.tenant}, ${receipt.mode})`,
    outcome: receipt.outcome + (positive === undefined ? '' : positive ? ', positive' : ', negative'),
    ...(offer && {
      offer: `${offer.handoff_id}: ${offer.offered_by} to ${offer.target}, ${time(offer.offered_at)}`,
    }),
    frozen: `${frozen.digest} (${frozen.contexts} contexts, ${frozen.late_contexts} late)`,
    ...(answer && {
      answer: `${answer.disposition} by ${answer.by}${answer.implicit ? ` (${implicitly})` : ''}, ${time(answer.at)}`,
    }),
    ...(commitment && {
      commitment: `${commitment.action} by ${commitment.by}, ${time(commitment.at)}, ${commitment.hash ?? 'no hash'}`,
    }),
    ...(receipt.commit && { rule: ruleWords(receipt) }),
    ...(receipt.authority && { authority: `${receipt.authority}, in place of ${receipt.from}` }),
    holder: receipt.holder,
    chain: `entry ${chain.seq}, ${chain.hash}`,
    issued: `${time(receipt.issued_at)}, key ${receipt.key_id}`,
    ...(compared && { log: 'the log gives the same receipt' }),
  });
  out(signer === 'known' ? SIGNER_KNOWN : SIGNER_UNKNOWN);
}

/** When it became final, and whether its owner chose that. */
function ruleWords({ commit, chosen, authority }: Receipt): string {
  if (commit === 'by-owner') return 'final with the Commitment of its owner';
  if (authority) return 'final with the answer';
  const how = chosen === 'default' ? ', by default' : chosen === 'argument' ? ', as its owner asked' : '';
  return `final with the answer${how}`;
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
