import type { ServerAddress } from '../../core/clients/describe-server.js';
import { isSecureUrl } from '../../core/oauth/secure-url.js';
import { ProbeError } from '../../core/doctor/probe/probe.error.js';
import { createTarget } from '../doctor/create-target.js';
import { namesSecret } from './secret-headers.js';

/** What a server asks of its clients: a login, or a token that they are given. */
export type Access = 'login' | 'token';

/** Milliseconds. It is short, so that adding a server that does not run yet does not wait. */
const LONGEST_ANSWER_MS = 2_000;

/** Finds what a server asks of a client with these headers. Returns `undefined` if it lets the client in, or does not answer. */
export async function findAccess({ url, headers }: ServerAddress): Promise<Access | undefined> {
  // What is a name here has its value only in the client.
  const isGiven = 'authorization' in headers || Object.values(headers).some(namesSecret);
  if (isGiven || !isSecureUrl(url)) return undefined;
  const { origin } = new URL(url);
  const target = createTarget({
    url: new URL(url),
    token: undefined,
    json: false,
    timeoutMs: LONGEST_ANSWER_MS,
    headers,
    origin,
  });
  try {
    if ((await target.initialize()).status !== 401) return undefined;
    const { authorization_servers: servers } = (await target.authorization.resource())?.document ?? {};
    return Array.isArray(servers) && servers.length > 0 ? 'login' : 'token';
  } catch (error) {
    if (error instanceof ProbeError) return undefined;
    throw error;
  } finally {
    await target.endSessions();
  }
}
