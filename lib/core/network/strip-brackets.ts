/** Returns a host as connections and checks want it: an address of IPv6 without the brackets that it has in a URL. */
export function stripBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
