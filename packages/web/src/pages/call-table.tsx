import { type AbiValue, type CalldataReading, checksummed } from '@handover/evm';
import { plainText } from '../format/plain-text.js';
import { grouped } from '../format/units.js';
import { Address } from '../ui/address.js';

export function CallTable({ reading: { selector, call } }: { readonly reading: CalldataReading }) {
  if (selector === undefined) return null;
  if (!call)
    return (
      <p class="quiet">
        Function selector <code>{selector}</code>
      </p>
    );
  const claimed = call.source === 'claimed';
  return (
    <details class="raw" open>
      <summary>{claimed ? 'The call, as the agent explains it' : 'The call, decoded'}</summary>
      <p class="quiet">
        <code>{plainText(call.signature, 200)}</code>, selector <code>{selector}</code>
        {claimed &&
          '. The bytes fit this explanation; whether the contract means the same, nobody here knows.'}
      </p>
      {call.arguments.length > 0 && (
        <table>
          <caption class="hidden">Arguments of the call</caption>
          <thead>
            <tr>
              <th scope="col">Argument</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {call.arguments.map(({ name, type, value }) => (
              <tr key={name}>
                <th scope="row">
                  {ARGUMENT_WORDS[name] ?? name} <span class="quiet">{type}</span>
                </th>
                <td>
                  <Value type={type} value={value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}

const ARGUMENT_WORDS: Readonly<Record<string, string>> = {
  amountOrId: 'amount or item number',
  addedAmount: 'added amount',
  subtractedAmount: 'subtracted amount',
};

const LIST_OF_ADDRESSES = /^address(?:\[\d*\])+$/;
const inChecksumForm = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? checksummed(value) : value;

function Value({ type, value }: { readonly type: string; readonly value: AbiValue }) {
  if (typeof value === 'string' && type === 'address') return <Address value={value} />;
  if (typeof value === 'string' && /^u?int\d*$/.test(type)) return <>{grouped(value)}</>;
  const shown = LIST_OF_ADDRESSES.test(type) ? JSON.stringify(value, inChecksumForm) : value;
  return <bdi>{plainText(typeof shown === 'object' ? JSON.stringify(shown) : String(shown), 1_000)}</bdi>;
}
