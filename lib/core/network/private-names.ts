/** What stands for this machine, with all below it (RFC 6761 §6.3). */
const LOOPBACK_NAME = /(?:^|\.)localhost\.*$/i;

/**
 * Domains of no public zone, which each network uses in its own way (RFC 6762, RFC 8375). ICANN reserves `internal` for private
 * use, and assigns the others to nobody because many networks use them.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localdomain|local|internal|home\.arpa|lan|intranet|corp|home)\.*$/i;

/** Tells whether a name stands for this machine. What it resolves to does not matter. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name);
}

/** Tells whether a name exists only in private networks. Its address there is another question. */
export function isPrivateName(name: string): boolean {
  return PRIVATE_NAME.test(name);
}
