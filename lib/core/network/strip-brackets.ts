/** Returns a host as sockets and checks expect it: an IPv6 address without the brackets of a URL. */
export function stripBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
