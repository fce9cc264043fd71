import { McpClientCommandError } from '../errors/client-command.error.js';
import { McpClientUnauthorizedError } from '../errors/client-unauthorized.error.js';
import type { ClientSettings } from '../options/client-settings.js';

/** What the official client calls an answer of another status than 2xx. */
const HTTP_CODES = new Set(['CLIENT_HTTP_AUTHENTICATION', 'CLIENT_HTTP_NOT_IMPLEMENTED']);

/** What of an error tells its kind. */
interface Fault {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly syscall?: unknown;
}

/**
 * Gives what a failure is for whoever uses the client: a server that wants a token is told apart, and a process that cannot be
 * started; the rest is as it came.
 */
export function explainRefusal(error: unknown, { name, server }: ClientSettings): unknown {
  const { code, status, syscall } = (error ?? {}) as Fault;
  if ('command' in server && String(syscall).startsWith('spawn')) {
    const { command, cwd } = server;
    const failed = { command, code: String(code), hasFolder: cwd !== undefined };
    return new McpClientCommandError(name, failed, error);
  }
  if (status !== 401 || !HTTP_CODES.has(String(code))) return error;
  return new McpClientUnauthorizedError(name, sendsToken(server), error);
}

function sendsToken(server: ClientSettings['server']): boolean {
  if (!('url' in server)) return false;
  const headers = Object.keys(server.headers ?? {});
  return server.auth !== undefined || headers.some((header) => header.toLowerCase() === 'authorization');
}
