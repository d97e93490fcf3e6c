/** One number from the metrics of a server. */
export async function metric(httpUrl: string, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', httpUrl))).text();
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`there is no metric ${name}`);
  return Number(found);
}
