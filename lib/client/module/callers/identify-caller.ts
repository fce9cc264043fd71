import { CallerUnknownError } from '../errors.js';
import type { McpCaller } from './mcp-caller.interface.js';

/** Claims that differ in each token. They do not describe the caller or its rights. */
const CLAIMS_OF_ONE_TOKEN: ReadonlySet<string> = new Set([
  'exp',
  'iat',
  'nbf',
  'jti',
  'auth_time',
  'nonce',
  'at_hash',
]);

/**
 * Names the caller and its rights. Tokens of one user have different names if they allow different things, were issued to
 * different clients, or name another actor or tenant.
 *
 * @throws {CallerUnknownError} if the token does not say who
 */
export function identifyCaller(client: string, { auth }: McpCaller): string {
  const { claims } = auth;
  if (claims === undefined) throw new CallerUnknownError(client, 'who came without a token');
  const { iss, sub, clientId, scopes = [], extra = {} } = claims;
  if (!iss || !sub) throw new CallerUnknownError(client, `whose token has no "${iss ? 'sub' : 'iss'}"`);
  return JSON.stringify([client, iss, sub, clientId ?? null, scopes.toSorted(), selectLasting(extra)]);
}

function selectLasting(claims: object): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(claims)
    .filter(([name]) => !CLAIMS_OF_ONE_TOKEN.has(name))
    .toSorted(([first], [second]) => (first < second ? -1 : 1));
}
