import type { IncomingMessage } from 'node:http';
import {
  LOGIN_RELAY_QUERY,
  type LoginEndpoint,
  type RelayedRequest,
} from '../../../../core/explorer/page-contract.js';
import { findUrl } from '../../../../core/oauth/find-url.js';
import { isMediaType } from '../../../../core/protocol/headers/media-type.js';
import { parseJsonObject, type JsonObject } from '../../../../core/protocol/parse-json-object.js';
import { parseExactObject } from '../../../auth/validators/jwt/decode-token.js';
import { RelayRefusedError } from './relay-refused.error.js';

/** A request of HTTP/2, which has this instead of the header (RFC 9113 §8.3.1). */
interface HostedRequest extends IncomingMessage {
  readonly authority?: string;
}

const MODES: readonly unknown[] = ['cors', 'same-origin'];

/**
 * Tells whether a request is one that the page has the server send for its login. Browsers say of a request which page it is from,
 * and no page can say otherwise, so that every other page is left to the endpoint.
 *
 * @see Fetch Metadata §2
 */
export function isForLoginRelay(request: HostedRequest): boolean {
  const { method, url = '', headers, authority } = request;
  if (method !== 'POST' || url.slice(url.indexOf('?')) !== LOGIN_RELAY_QUERY) return false;
  if (headers['sec-fetch-site'] !== 'same-origin' || !MODES.includes(headers['sec-fetch-mode'])) return false;
  if (headers['sec-fetch-dest'] !== 'empty' || headers['mcp-session-id'] !== undefined) return false;
  if (headers['content-encoding'] !== undefined) return false;
  if (!isMediaType(headers['content-type'], ['application/json'])) return false;
  const host = authority ?? headers.host;
  return host !== undefined && findUrl(headers.origin ?? '')?.host === host.toLowerCase();
}

/** A request that may be sent, for an issuer that is still to be looked up. */
export interface LoginRequest {
  readonly issuer: string;
  readonly endpoint: LoginEndpoint;
  /** Where the page expects it to go. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Who asks, and whom they may ask. */
export interface RelayBounds {
  /** The origin of the page. */
  readonly origin: string;
  readonly issuers: readonly string[];
}

/**
 * Reads what the page wants to be sent: what a login needs, and nothing else that these endpoints can do.
 *
 * @throws {RelayRefusedError} if it is something else
 */
export function parseLoginRequest(bytes: Buffer, { origin, issuers }: RelayBounds): LoginRequest {
  const members = parseExactObject(bytes);
  if (members === undefined) throw new RelayRefusedError(400, 'The request must be a JSON object');
  const { issuer, endpoint, url } = members as Partial<RelayedRequest>;
  if (typeof issuer !== 'string' || !issuers.includes(issuer)) {
    throw new RelayRefusedError(403, '"issuer" must be one of "auth.authorizationServers"');
  }
  if (endpoint === 'metadata') return { issuer, endpoint, url: undefined, headers: {}, body: '' };
  if (endpoint !== 'registration' && endpoint !== 'token') {
    throw new RelayRefusedError(403, '"endpoint" must be "metadata", "registration" or "token"');
  }
  if (typeof url !== 'string') throw new RelayRefusedError(400, '"url" must be the URL of the endpoint');
  const parse = endpoint === 'token' ? parseTokenRequest : parseRegistration;
  return { issuer, endpoint, url, ...parse(members, origin) };
}

type Sent = Pick<LoginRequest, 'headers' | 'body'>;

/** Only clients whose answers come back to the page are registered (RFC 7591 §2). */
function parseRegistration({ body }: JsonObject, origin: string): Sent {
  const metadata = typeof body === 'string' ? parseJsonObject(body) : undefined;
  const uris: unknown = metadata?.['redirect_uris'];
  const isOfPage = Array.isArray(uris) && uris.length > 0 && uris.every((uri) => isAt(uri, origin));
  if (!isOfPage)
    throw new RelayRefusedError(403, '"redirect_uris" of a registration must be at the origin of the page');
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(metadata) };
}

/** The grants of a login. With others, a client gets tokens for itself, or for somebody else's token. */
const GRANTS: readonly unknown[] = ['authorization_code', 'refresh_token'];

/** A client that has a secret shows it (RFC 7617). */
const BASIC = /^Basic [\w+/=.~-]{1,4096}$/;

/** RFC 9449 §4.1, RFC 7515 §3.1. */
const PROOF = /^[\w-]{1,2048}\.[\w-]{1,4096}\.[\w-]{1,2048}$/;

function parseTokenRequest({ body, authorization, dpop }: JsonObject, origin: string): Sent {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const [grant, ...others] = form.getAll('grant_type');
  if (!GRANTS.includes(grant) || others.length > 0)
    throw new RelayRefusedError(403, '"grant_type" must be "authorization_code" or "refresh_token"');
  if (!form.getAll('redirect_uri').every((uri) => isAt(uri, origin)))
    throw new RelayRefusedError(403, '"redirect_uri" must be at the origin of the page');
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...readHeader('authorization', authorization, BASIC),
      ...readHeader('dpop', dpop, PROOF),
    },
    body: form.toString(),
  };
}

function readHeader(name: string, value: unknown, form: RegExp): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (typeof value === 'string' && form.test(value)) return { [name]: value };
  throw new RelayRefusedError(400, `"${name}" has none of the forms that are passed on`);
}

function isAt(uri: unknown, origin: string): boolean {
  return typeof uri === 'string' && findUrl(uri)?.origin === origin;
}
