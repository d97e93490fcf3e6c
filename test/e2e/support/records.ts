/** Records as the API shows them, one for every state that a page has. */
import { createHash } from 'node:crypto';
import type { Fields, Json, JsonObject, OperationStatus } from '@handover/core';
import { deploymentSteps, processGraph, rulesOfBundle } from '@handover/evm';
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi } from 'viem';
import { digestOf } from '../../../packages/web/src/format/digest.js';
import type {
  BundleRecord,
  HandoffRecord,
  OperationRecord,
  SessionRecord,
  Step,
} from '../../../packages/web/src/model/record.js';

export const ACCOUNT = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
export const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
export const HASH = `0x${'4f'.repeat(32)}`;

let counter = 0;
const hex = (digits: number): string => {
  counter += 1;
  return createHash('sha256').update(String(counter)).digest('hex').slice(0, digits);
};

const withDigest = <R extends HandoffRecord>(record: R): R => ({ ...record, digest: digestOf(record) });

const common = (status: OperationStatus) => ({
  network: 'testnet',
  chainId: 31_337,
  status,
  verification: 'unverified' as const,
  createdAt: new Date(Date.now() - 120_000).toISOString(),
  updatedAt: new Date(Date.now() - 60_000).toISOString(),
  expiresAt: new Date(Date.now() + 47.5 * 60_000).toISOString(),
  digest: '',
  watched: true,
  effect: 'none' as const,
  basis: [],
  createdBy: 'agent',
  reportUntil: new Date(Date.now() + 30 * 86_400_000).toISOString(),
});

export const step = (
  id: string,
  label: string,
  txRequest: object | undefined,
  rest: Partial<Step> = {},
): Step => ({
  id,
  kind: 'transaction',
  label,
  status: 'pending',
  verification: 'unverified',
  effect: 'none',
  ...(txRequest && { txRequest: txRequest as JsonObject }),
  ...rest,
});

export const transferData = (to: string, amount: bigint): string =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as `0x${string}`, amount] });
export const approveData = (spender: string, amount = maxUint256): string =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as `0x${string}`, amount] });

/** Any call, by its signature. */
export const call = (signature: string, args: readonly unknown[]): string =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args });

export function operation(changes: Partial<OperationRecord> = {}): OperationRecord {
  return withDigest({
    family: 'operation',
    id: `op_${hex(32)}`,
    type: 'erc20_transfer',
    ...common('pending_user_action'),
    summary: { title: 'Pay invoice INV-7', invoice: 'INV-7', reason: 'Hosting in November' },
    payload: null,
    steps: [
      step('step_1', 'Pay the supplier', {
        to: TOKEN,
        value: '0',
        data: transferData(OTHER, 1_250_000_000n),
      }),
    ],
    ...changes,
  });
}

const structure = {
  Intake: {
    rule: 'cm:xrc137:IntakeRule',
    onValid: {
      spawns: ['Budget', 'Supplier'],
      join: {
        joinid: 'Approve',
        mode: 'all',
        from: [
          { node: 'Budget', when: 'valid' },
          { node: 'Supplier', when: 'valid' },
        ],
      },
    },
    onInvalid: { spawns: ['Reject'] },
  },
  Budget: { rule: 'cm:xrc137:BudgetRule' },
  Supplier: { rule: 'cm:xrc137:SupplierRule' },
  Approve: { rule: 'cm:xrc137:ApproveRule' },
  Reject: { rule: 'cm:xrc137:RejectRule' },
};
const RULES = ['IntakeRule', 'BudgetRule', 'SupplierRule', 'ApproveRule', 'RejectRule'];
const rule = (alias: string) => ({
  payload: { InvoiceId: { type: 'string' } },
  rules: ["[InvoiceId] != ''"],
  onValid: { payload: { InvoiceId: '[InvoiceId]', By: alias } },
  onInvalid: { payload: { InvoiceId: '[InvoiceId]' } },
});

const invoiceGraph = processGraph(
  { structure },
  rulesOfBundle(RULES.map((alias) => ({ meta: { alias }, ...rule(alias) }))),
);

const bundleId = 'invoice_approval';

/** The bundle of the invoice; `note` makes its first rule longer. */
function invoiceBundle(note: string) {
  const meta = (type: string, alias: string) => ({ type, alias, bundleId });
  const items = [
    { id: 'invoice_flow', bundleId, meta: meta('xrc729', 'invoice_flow'), structure },
    ...RULES.map((alias, index) => ({
      id: alias,
      bundleId,
      address: `cm:xrc137:${alias}`,
      meta: meta('xrc137', alias),
      ...rule(alias),
      ...(index === 0 && note !== '' && { rules: [note] }),
    })),
  ];
  return {
    format: 'xgr-multi-bundle@1',
    createdAt: '2026-06-07T12:00:00Z',
    bundles: [{ bundleId, items }],
  };
}

export function bundle(changes: Partial<BundleRecord> = {}, note = ''): BundleRecord {
  const documents = invoiceBundle(note) as Json as BundleRecord['bundle'];
  return withDigest({
    family: 'bundle_deploy',
    handle: `bd_${hex(48)}`,
    ...common('pending_import'),
    summary: { title: 'Invoice approval', purpose: 'Checks budget and supplier before an invoice is paid' },
    validation: { warnings: [] },
    bundle: documents,
    graph: invoiceGraph,
    steps: deploymentSteps(documents as Fields).map((deployment) => ({
      ...step(deployment.id, deployment.alias, undefined),
      deployment,
    })),
    ...changes,
  });
}

export function sessions(count: number, changes: Partial<SessionRecord> = {}): SessionRecord {
  const handle = `ss_${hex(48)}`;
  return withDigest({
    family: 'session_start',
    handle,
    ...common('pending_import'),
    request: {
      type: 'xdala_session_start',
      version: 'xgr-session-start@1',
      handle,
      mode: count === 1 ? 'single' : 'queue',
      summary: { title: count === 1 ? 'Check invoice INV-7' : `Check ${count} invoices` },
      sessions: Array.from({ length: count }, (_, index) => ({
        orchestration: TOKEN,
        ostcId: 'invoice_flow',
        stepId: 'Intake',
        payload: { InvoiceId: `INV-${7 + index}`, Amount: '1200', __secret: 'not-for-screens' },
        maxTotalGas: 2_000_000,
      })),
    },
    authority: { authorityStatus: 'not_checked' },
    validation: { warnings: [] },
    graph: invoiceGraph,
    steps: Array.from({ length: count }, (_, index) => ({
      ...step(`sessions.${index}`, `Session ${index + 1}`, undefined),
      kind: 'session',
    })),
    ...changes,
  });
}
