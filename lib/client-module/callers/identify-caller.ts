import { CallerUnknownError } from '../errors/caller-unknown.error.js';
import type { McpCaller } from './mcp-caller.interface.js';

/**
 * Names who calls, and by which right: tokens of one user that allow different things, or that were given to different
 * clients, have different names.
 *
 * @throws {CallerUnknownError} where the token does not say who
 */
export function identifyCaller(client: string, { auth }: McpCaller): string {
  const { claims } = auth;
  if (claims === undefined) throw new CallerUnknownError(client, 'who came without a token');
  const { iss, sub, clientId, scopes = [] } = claims;
  if (!iss || !sub) throw new CallerUnknownError(client, `whose token has no "${iss ? 'sub' : 'iss'}"`);
  return JSON.stringify([client, iss, sub, clientId ?? null, scopes.toSorted()]);
}
