/** An address in full: a shortened address is easy to imitate. */
export function Address({ value }: { readonly value: string }) {
  const groups = value.slice(2).match(/.{1,4}/g) ?? [];
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
