/** What stands for this machine, with all below it (RFC 6761 §6.3). */
const LOOPBACK_NAME = /(?:^|\.)localhost\.*$/i;

/**
 * Domains that no public zone has, so that every network gives them a meaning of its own (RFC 6762, RFC 8375, `internal`, which
 * ICANN keeps for private use, and those that it gives to nobody because so many networks use them).
 */
const PRIVATE_NAME = /(?:^|\.)(?:localdomain|local|internal|home\.arpa|lan|intranet|corp|home)\.*$/i;

/** Tells whether a name stands for this machine, whatever it is resolved to. */
export function isLoopbackName(name: string): boolean {
  return LOOPBACK_NAME.test(name);
}

/** Tells whether a name is one of private networks alone; what it leads to there is another question. */
export function isPrivateName(name: string): boolean {
  return PRIVATE_NAME.test(name);
}
