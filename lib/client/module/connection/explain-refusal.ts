import { ResponseTooLargeError } from '../../../core/network/response-too-large.error.js';
import { findRequiredElicitations } from '../../../core/protocol/required-elicitations.js';
import { findRequiredCapabilities, McpCapabilityMissingError } from '../errors/capability-missing.error.js';
import { McpClientCommandError } from '../errors/client-command.error.js';
import { McpClientUnavailableError } from '../errors/client-unavailable.error.js';
import { McpClientUnauthorizedError } from '../errors/client-unauthorized.error.js';
import { McpClientError } from '../errors/mcp-client.error.js';
import { McpResponseTooLargeError } from '../errors/response-too-large.error.js';
import { McpUrlElicitationRequiredError } from '../errors/url-elicitation-required.error.js';
import type { ClientSettings } from '../options/client-settings.js';
import { listCauses, type Fault } from './list-causes.js';

/** The official client's error codes for a status other than 2xx, and for a token that was, or cannot be, fetched for the call. */
const HTTP_CODES = new Set([
  'CLIENT_HTTP_AUTHENTICATION',
  'CLIENT_HTTP_NOT_IMPLEMENTED',
  'retry_exhausted',
  'login_in_vain',
]);

/**
 * Turns a failure into the error that users of the client see. There are separate errors for a server that wants a
 * token, sends the user to a page or sends too much, and for a process that cannot be started. Other failures stay as
 * they came.
 */
export function explainRefusal(error: unknown, { name, server }: ClientSettings): unknown {
  if (error instanceof McpClientError) return error;
  const { code, syscall } = (error ?? {}) as Fault & { readonly syscall?: unknown };
  if ('command' in server && String(syscall).startsWith('spawn')) {
    const { command, cwd } = server;
    const failed = { command, code: String(code), hasFolder: cwd !== undefined };
    return new McpClientCommandError(name, failed, error);
  }
  const tooLarge = ResponseTooLargeError.find(error);
  if (tooLarge !== undefined) return new McpResponseTooLargeError(name, tooLarge);
  const elicitations = findRequiredElicitations(error);
  if (elicitations !== undefined) return new McpUrlElicitationRequiredError(name, elicitations, error);
  const capabilities = findRequiredCapabilities(error);
  if (capabilities !== undefined) return new McpCapabilityMissingError(name, capabilities, error);
  // The official client may say in its own words that it could not begin, for that reason.
  const refusal = listCauses(error).find(isUnauthorized);
  if (refusal === undefined) return error;
  return new McpClientUnauthorizedError(name, sendsToken(server), refusal);
}

/** Creates what a call gets that waited for a connection in vain. */
export function createUnavailable(
  { name, server }: ClientSettings,
  waitedMs: number,
  cause: unknown,
): McpClientUnavailableError {
  const place = 'url' in server ? server.url : server.command;
  return new McpClientUnavailableError(name, { server: place, waitedMs, cause });
}

function isUnauthorized({ code, status }: Fault): boolean {
  return status === 401 && HTTP_CODES.has(String(code));
}

function sendsToken(server: ClientSettings['server']): boolean {
  if (!('url' in server)) return false;
  const headers = Object.keys(server.headers ?? {});
  return server.auth !== undefined || headers.some((header) => header.toLowerCase() === 'authorization');
}
