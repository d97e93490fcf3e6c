import { checksummed } from '@handover/evm';

/** An address in full, since a shortened one is easy to imitate, and in the form that wallets show, to compare. */
export function Address({ value }: { readonly value: string }) {
  const groups =
    checksummed(value)
      .slice(2)
      .match(/.{1,4}/g) ?? [];
  return (
    <span class="address">
      {groups.map((group, index) => (
        <span class={index === 0 || index === groups.length - 1 ? 'end' : undefined} key={index}>
          {index === 0 ? `0x${group}` : group}
        </span>
      ))}
    </span>
  );
}
