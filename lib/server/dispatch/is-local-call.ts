import { isLoopbackUrl } from '../../core/oauth/secure-url.js';
import { isOfThisMachine, type RawRequest } from '../context/is-of-this-machine.js';
import type { RequestContext } from '../context/request-context.js';

/**
 * Tells whether the answer of a call goes to whoever develops the server, and to nobody else. What a task comes to is stored, so
 * that others may read it. A client of the same process may act for anybody. Over stdio the host chooses the environment, and
 * it may pass messages on, so only `NODE_ENV=development` counts there.
 */
export function isLocalCall({ hosting, transport, http }: RequestContext): boolean {
  if (hosting !== undefined) return false;
  if (transport === 'stdio') return process.env['NODE_ENV'] === 'development';
  const request = findRawRequest(http?.request);
  return request !== undefined && isOfThisMachine(request) && hasLocalOrigin(request);
}

/** What adapters call a request. Fastify keeps Node's own in "raw". */
type AdapterRequest = RawRequest & { readonly raw?: RawRequest };

/** Another process may have passed the request on. Such a request has no socket. */
function findRawRequest(request: unknown): RawRequest | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const { raw = request as RawRequest } = request as AdapterRequest;
  return typeof raw.socket === 'object' && typeof raw.headers === 'object' ? raw : undefined;
}

/** A page of another site may be allowed to call, and not to read what is for the developer. */
function hasLocalOrigin({ headers }: RawRequest): boolean {
  const origin = headers['origin'];
  return (
    origin === undefined || (typeof origin === 'string' && URL.canParse(origin) && isLoopbackUrl(origin))
  );
}
