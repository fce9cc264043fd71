import type { ServerAddress } from '../../lib/core/clients/describe-server.js';
import { servesNothing } from '../../lib/core/protocol/serves-nothing.js';
import { isSecureUrl } from '../../lib/core/oauth/secure-url.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe.error.js';
import { createTarget } from '../doctor/create-target.js';
import { namesSecret } from './secret-headers.js';

/** What a client meets at a URL: a server that asks for a login or a given token, something else than MCP, or nothing. */
export type Access = 'login' | 'token' | 'no MCP' | 'nothing';

/** Milliseconds. It is short, so that adding a server that does not run yet does not wait. */
const LONGEST_ANSWER_MS = 2_000;

/** Finds what a client with these headers meets. Returns `undefined` if it is let in, or if nothing was asked. */
export async function findAccess({ url, headers }: ServerAddress): Promise<Access | undefined> {
  // What is a name here has its value only in the client.
  const isGiven = 'authorization' in headers || Object.values(headers).some(namesSecret);
  if (!isSecureUrl(url)) return undefined;
  const { origin } = new URL(url);
  const target = createTarget({
    url: new URL(url),
    token: undefined,
    json: false,
    timeoutMs: LONGEST_ANSWER_MS,
    // References to variables, or secrets, are for the client alone.
    headers: isGiven ? {} : headers,
    origin,
  });
  try {
    const { status } = await target.initialize();
    if (servesNothing(status)) return 'no MCP';
    if (isGiven || status !== 401) return undefined;
    const { authorization_servers: servers } = (await target.authorization.resource())?.document ?? {};
    return Array.isArray(servers) && servers.length > 0 ? 'login' : 'token';
  } catch (error) {
    if (error instanceof ProbeError) return 'nothing';
    throw error;
  } finally {
    await target.endSessions();
  }
}
