import { createHash } from 'node:crypto';

/** 64 bits are enough: ids are random, so even among a billion sessions, two hardly ever share a fingerprint. */
const CHARACTERS = 16;

/**
 * Identifies a session in logs, traces and audit events with the first characters of its ID's SHA-256 in hexadecimal.
 * The fingerprint does not reveal the ID.
 *
 * Without tokens, anyone who has a session's ID can use the session.
 *
 * @see MCP security best practices, "Session Hijacking"
 */
export function fingerprintSession(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, CHARACTERS);
}

/**
 * Identifies a task in logs and traces in the same way as a session. Without tokens, anyone who has a task's ID can
 * use the task.
 */
export function fingerprintTask(id: string): string {
  return fingerprintSession(id);
}
