import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';

/** The environment variable in which `nestjs-mcp-cli dev` passes the address for reports and a shared secret to an application. */
export const DEVELOPMENT_VARIABLE = 'NESTJS_MCP_DEV';

/** Where an application sends its reports. */
export interface DevConnection {
  /** The path of a local socket, or the name of a pipe. */
  readonly path: string;
  /** The secret that both sides prove to each other. */
  readonly secret: string;
}

/** Formats the connection as the value of the variable. */
export function formatDevConnection({ path, secret }: DevConnection): string {
  return `${secret}@${path}`;
}

/**
 * Reads the connection from the environment. Returns `undefined` if there is none, or if the application is in
 * production. The variable may be left over from an earlier `dev`: if its socket no longer exists, there is no
 * connection either.
 */
export function findDevConnection(environment: NodeJS.ProcessEnv): DevConnection | undefined {
  // A Windows shell includes the space before "&&".
  if (environment['NODE_ENV']?.trim().toLowerCase() === 'production') return undefined;
  const [, secret, path] = /^([\w-]{32,})@(.+)$/s.exec(environment[DEVELOPMENT_VARIABLE] ?? '') ?? [];
  return secret === undefined || path === undefined || isGone(path) ? undefined : { path, secret };
}

/** On Windows, checking a pipe would open it. */
function isGone(path: string): boolean {
  return process.platform !== 'win32' && !existsSync(path);
}

/** Derives the secret that signs sessions: it stays the same while `dev` runs, whatever restarts. */
export function deriveSessionSecret({ secret }: Pick<DevConnection, 'secret'>): string {
  return createHmac('sha256', secret).update('sessions').digest('base64url');
}
