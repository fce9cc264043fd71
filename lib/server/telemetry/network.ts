import type { NetworkFacts, PeerAddress } from '../../core/telemetry/operation-facts.js';

/** The source of messages. */
export interface RequestSource {
  /** The HTTP request, if there is one. */
  readonly http?: HttpRequest | undefined;
  /** Whether messages arrive over stdio. */
  readonly isPipe?: boolean | undefined;
}

/** An HTTP request as handlers see it. */
export interface HttpRequest {
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** The adapter's request object. */
  readonly request: unknown;
}

/** An Express or Fastify request object. */
interface AdapterRequest {
  readonly ip?: unknown;
  readonly raw?: AdapterRequest;
  readonly httpVersion?: string;
  readonly socket?: { readonly remoteAddress?: string; readonly remotePort?: number } | null;
}

/** The longest possible address, including a zone. */
const LONGEST_ADDRESS = 64;

const PIPE: NetworkFacts = Object.freeze({ transport: 'pipe' });
const HTTP_1: NetworkFacts = createHttp('1.1');
const HTTP_2: NetworkFacts = createHttp('2');

/** Returns the network attributes of a message; `undefined` within a process. */
export function findNetwork({ http, isPipe }: RequestSource): NetworkFacts | undefined {
  if (http === undefined) return isPipe === true ? PIPE : undefined;
  const request = Object(http.request) as AdapterRequest;
  const version = (request.raw ?? request).httpVersion;
  if (version === undefined || version === '1.1') return HTTP_1;
  return version.startsWith('2') ? HTTP_2 : createHttp(version);
}

/** Returns a client's address, according to the adapter's trusted proxies. */
export function findClient({ http }: RequestSource): PeerAddress | undefined {
  if (http === undefined) return undefined;
  const { remoteAddress, remotePort } = findSocket(http);
  const address = findTold(http) ?? remoteAddress;
  if (address === undefined) return undefined;
  // Behind a proxy, the port belongs to the proxy.
  const port = address === remoteAddress ? remotePort : undefined;
  return { address: address.slice(0, LONGEST_ADDRESS), port };
}

/** Returns only the address, because Node looks up the port on each access. */
export function findClientAddress({ http }: RequestSource): string | undefined {
  return http && (findTold(http) ?? findSocket(http).remoteAddress)?.slice(0, LONGEST_ADDRESS);
}

/** Reading `ip` may run an application function, so it is read only if a proxy sent a header. */
function findTold({ headers, request }: HttpRequest): string | undefined {
  if (headers['x-forwarded-for'] === undefined) return undefined;
  const { ip } = Object(request) as AdapterRequest;
  return typeof ip === 'string' ? ip : undefined;
}

function findSocket({ request: given }: HttpRequest): NonNullable<AdapterRequest['socket']> {
  const request = Object(given) as AdapterRequest;
  return (request.raw ?? request).socket ?? {};
}

function createHttp(protocolVersion: string): NetworkFacts {
  return Object.freeze({ transport: 'tcp', protocolName: 'http', protocolVersion });
}
