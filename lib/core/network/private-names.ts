/** Names of this machine, with all their subdomains (RFC 6761 §6.3). */
const LOOPBACK_NAME = /(?:^|\.)localhost\.*$/i;

/**
 * Domains outside the public DNS, which each network uses in its own way (RFC 6762, RFC 8375). ICANN reserves
 * `internal` for private use, and does not delegate the others because many networks use them.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localdomain|local|internal|home\.arpa|lan|intranet|corp|home)\.*$/i;

/** Returns whether a name stands for this machine, regardless of its addresses. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name);
}

/** Returns whether a name exists only in private networks, regardless of its addresses. */
export function isPrivateName(name: string): boolean {
  return PRIVATE_NAME.test(name);
}
