import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';

/** The environment variable with which `nestjs-mcp-cli dev` gives an application the address for reports and a shared secret. */
export const DEVELOPMENT_VARIABLE = 'NESTJS_MCP_DEV';

/** Where reports are taken. */
export interface Invitation {
  /** The path of a local socket, or the name of a pipe. */
  readonly path: string;
  /** The secret that the receiver and the sender of reports prove to each other. */
  readonly secret: string;
}

/** Writes an invitation as the value of the variable. */
export function formatInvitation({ path, secret }: Invitation): string {
  return `${secret}@${path}`;
}

/**
 * Reads the invitation of an environment. Returns `undefined` if there is none, or if the application is in production.
 * The variable may be older than the terminal: if the socket is gone, there is no invitation either.
 */
export function findInvitation(environment: NodeJS.ProcessEnv): Invitation | undefined {
  // A shell of Windows leaves the space that stands before "&&".
  if (environment['NODE_ENV']?.trim().toLowerCase() === 'production') return undefined;
  const [, secret, path] = /^([\w-]{32,})@(.+)$/s.exec(environment[DEVELOPMENT_VARIABLE] ?? '') ?? [];
  return secret === undefined || path === undefined || isGone(path) ? undefined : { path, secret };
}

/** On Windows, checking a pipe would open it. */
function isGone(path: string): boolean {
  return process.platform !== 'win32' && !existsSync(path);
}

/** Derives the secret that signs sessions: it stays the same while the watch script runs, whatever restarts. */
export function deriveSessionSecret({ secret }: Pick<Invitation, 'secret'>): string {
  return createHmac('sha256', secret).update('sessions').digest('base64url');
}
