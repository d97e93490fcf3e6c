/** The reasons of POLICY_DENIED, which travel as JSON in the details of an error. */
export function reasonsIn(details: Uint8Array | undefined): readonly string[] | undefined {
  if (details === undefined || details.length === 0) return undefined;
  const { reasons } = JSON.parse(Buffer.from(details).toString('utf8')) as { reasons?: readonly string[] };
  return reasons;
}
