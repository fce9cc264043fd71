/** Names of this machine, with all their subdomains (RFC 6761 §6.3). */
const LOOPBACK_NAME = /(?:^|\.)localhost\.*$/i;

/**
 * Domains outside the public DNS, which each network uses in its own way (RFC 6762, RFC 8375). ICANN reserves
 * `internal` for private use, and does not delegate the others because many networks use them.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localdomain|local|internal|home\.arpa|lan|intranet|corp|home)\.*$/i;

/** Returns whether a name refers to this machine, regardless of its addresses. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name);
}

/** Returns whether a name exists only in private networks, regardless of its addresses. */
export function isPrivateName(name: string): boolean {
  return PRIVATE_NAME.test(name);
}

/** Returns a host's name without its port; an IPv6 address stays in brackets. */
export function parseHost(host: string): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\s]+)(?::\d{1,5})?$/i.exec(host);
  return match?.[1]?.toLowerCase();
}

/** Returns a host as sockets and checks expect it: an IPv6 address without the brackets of a URL. */
export function stripBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
