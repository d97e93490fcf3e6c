/** Whether an address can be reached from this machine alone; there, plaintext exposes nothing. */
export function isLoopback(address: string): boolean {
  if (address.startsWith('unix:')) return true;
  const host = hostOf(address);
  if (host === 'localhost' || host === '::1') return true;
  // Whole octets only: 127.0.0.1.example.com is somebody's server.
  return /^127(\.\d{1,3}){3}$/.test(host);
}

/** The host of a gRPC target: `host:port`, `[v6]:port`, `ipv4:…`, `ipv6:…`, `dns:///host:port`. */
function hostOf(address: string): string {
  const name = address.replace(/^(dns|ipv4|ipv6):/, '').replace(/^\/\/[^/]*\//, '');
  const bracketed = /^\[([^\]]*)\]/.exec(name);
  if (bracketed) return bracketed[1] ?? '';
  const colon = name.lastIndexOf(':');
  const isPlainV6 = colon !== name.indexOf(':');
  return colon === -1 || isPlainV6 ? name : name.slice(0, colon);
}
