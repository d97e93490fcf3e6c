/** Where the binding is: below the path of the public base URL, and without it, as a proxy may cut it off. */
export const BINDING = '/macp/v1';

export function bindingPaths(publicBaseUrl: string | undefined): readonly string[] {
  const prefix = publicBaseUrl === undefined ? '' : new URL(publicBaseUrl).pathname.replace(/\/+$/, '');
  return [...new Set([BINDING, prefix + BINDING])];
}

export function isBelow(paths: readonly string[], path: string): boolean {
  return paths.some((base) => path === base || path.startsWith(`${base}/`));
}
