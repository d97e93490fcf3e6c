/** What was carried out more than once, in plain numbers. */
import { formatUnits } from '../format/units.js';
import { timesDone } from '../model/progress.js';
import type { HandoffRecord, Step } from '../model/record.js';
import { normalise } from '../transaction/normalise.js';
import type { Besides } from './step-words.js';

export const VERBS: Readonly<Record<HandoffRecord['family'], string>> = {
  operation: 'Paid',
  bundle_deploy: 'Deployed',
  session_start: 'Started',
};

export const howOften = (times: number): string => (times === 2 ? 'twice' : `${times} times`);

/** Such as "2 × 0.01 ETH"; undefined where a step sends no coins. */
export function coinsOften(times: number, value: bigint, currency: Besides['currency']): string | undefined {
  if (value === 0n || !currency) return undefined;
  return `${times} × ${formatUnits(value, currency.decimals)} ${currency.symbol}`;
}

/** Such as "Paid twice: 2 × 0.01 ETH". */
export function oftenWords(record: HandoffRecord, step: Step, { currency }: Besides): string {
  const times = timesDone(step);
  const value = normalise(step.txRequest, record.chainId).transaction?.value ?? 0n;
  const coins = coinsOften(times, value, currency);
  const number = record.steps.findIndex(({ id }) => id === step.id) + 1;
  const which = record.steps.length === 1 ? '' : ` (no. ${number} of ${record.steps.length})`;
  const often = `${VERBS[record.family]} ${howOften(times)}${which}`;
  return coins === undefined ? often : `${often}: ${coins}`;
}
