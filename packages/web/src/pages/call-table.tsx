import type { AbiValue } from '../calldata/abi-types.js';
import type { Decoded } from '../calldata/decode-calldata.js';
import { plainText } from '../format/plain-text.js';
import { grouped } from '../format/units.js';
import { Address } from '../ui/address.js';

export function CallTable({ decoded }: { readonly decoded: Decoded }) {
  if (decoded.kind === 'none') return null;
  if (decoded.kind !== 'known')
    return (
      <p class="quiet">
        Function selector <code>{decoded.selector}</code>
      </p>
    );
  return (
    <details class="raw" open>
      <summary>The call, decoded</summary>
      <p class="quiet">
        <code>{decoded.signature}</code>, selector <code>{decoded.selector}</code>
      </p>
      {decoded.arguments.length > 0 && (
        <table>
          <caption class="hidden">Arguments of the call</caption>
          <thead>
            <tr>
              <th scope="col">Argument</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {decoded.arguments.map(({ name, type, value }) => (
              <tr key={name}>
                <th scope="row">
                  {name} <span class="quiet">{type}</span>
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

function Value({ type, value }: { readonly type: string; readonly value: AbiValue }) {
  if (typeof value === 'bigint') return <>{grouped(value.toString())}</>;
  if (type === 'address') return <Address value={String(value)} />;
  if (Array.isArray(value)) return <>{value.map(String).join(', ')}</>;
  return <bdi>{plainText(String(value), 1_000)}</bdi>;
}
