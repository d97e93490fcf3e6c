/**
 * Contracts that an attacker has put on the working chain: anybody may deploy such a text, and every reader may name it.
 * The address says how large the text is.
 */
const Kind = { alikeSteps: 'a1', wideRule: 'a2', ruleOfWide: 'a3' } as const;
const address = (kind: string, count: number) => `0x${kind}${count.toString(16).padStart(38, '0')}`;

/** An orchestration of so many steps, whose ids differ only in signs that a diagram cannot show. */
export const alikeSteps = (count: number): string => address(Kind.alikeSteps, count);
/** An orchestration of one step, whose rule has so many fields. */
export const wideRule = (count: number): string => address(Kind.wideRule, count);

export function textOfContract(contract: string): string {
  const kind = contract.slice(2, 4);
  const count = Number.parseInt(contract.slice(4) || '0', 16);
  if (kind === Kind.alikeSteps) return orchestration(count);
  if (kind === Kind.wideRule)
    return JSON.stringify({ structure: { A: { rule: address(Kind.ruleOfWide, count) } } });
  return kind === Kind.ruleOfWide ? ruleText(count) : '';
}

function orchestration(steps: number): string {
  const step = { rule: address('00', 0) };
  // Every sign outside ASCII becomes an underscore in a diagram.
  const sign = (n: number) => String.fromCodePoint(0x4e00 + (n % 20_000), 0x4e00 + Math.floor(n / 20_000));
  const names = Array.from({ length: steps }, (_, n) => sign(n));
  return JSON.stringify({ structure: Object.fromEntries(names.map((name) => [name, step])) });
}

function ruleText(count: number): string {
  const fields = Array.from({ length: count }, (_, n) => [`f${n}`, { type: 'string' }] as const);
  return JSON.stringify({ payload: Object.fromEntries(fields) });
}
