import { createHash } from 'node:crypto';

/** 64 bits: the ids are random, so that two of a billion sessions are hardly ever called the same. */
const CHARACTERS = 16;

/**
 * Names a session in logs, traces and audit events, by the first characters of the SHA-256 of its id in hexadecimal. The id
 * leads to the name, but the name does not lead to the id.
 *
 * Without tokens, anyone who has the id of a session can use the session.
 *
 * @see MCP security best practices, "Session Hijacking"
 */
export function fingerprintSession(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, CHARACTERS);
}
