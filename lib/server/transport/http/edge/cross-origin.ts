import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CorsOptions } from '../../../settings/http-options.js';
import { varyBy } from '../replies/answer-headers.js';

const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Mcp-Session-Id',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
];
const EXPOSED_HEADERS = 'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate';

/** Further headers that clients send and read if tokens are bound to keys (RFC 9449 §4.1, §8). */
const PROOF_HEADER = 'DPoP';
const NONCE_HEADER = 'DPoP-Nonce';

/** What the application's own CORS says of an answer. */
const OF_APPLICATION = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
];

/** The headers that a browser wants before it calls across origins (Fetch Standard §3.2). */
export class CrossOrigin {
  readonly #allowsAny: boolean;
  readonly #origins: ReadonlySet<string>;

  /** @param takesDpop whether clients send proofs, and read nonces */
  constructor(
    private readonly options: Required<CorsOptions>,
    private readonly takesDpop = false,
  ) {
    this.#allowsAny = options.origins.includes('*');
    this.#origins = new Set(options.origins);
  }

  /** Lets pages of a listed origin read a response; other origins that may send requests learn nothing from them. */
  allow(origin: string | undefined, response: ServerResponse): void {
    if (!this.#allowsAny) varyBy(response, 'Origin');
    if (origin === undefined || !this.#allows(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', this.#allowsAny ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', listExposed(this.takesDpop));
  }

  /** Takes the place of the application's own CORS, which is for other paths. */
  overrule(origin: string, response: ServerResponse): void {
    for (const name of OF_APPLICATION) response.removeHeader(name);
    this.allow(origin, response);
  }

  /** Tells whether a request is a preflight. */
  takesPreflight({ method, headers }: IncomingMessage): boolean {
    const { origin, 'access-control-request-method': asked } = headers;
    return method === 'OPTIONS' && asked !== undefined && origin !== undefined;
  }

  /** Answers the question whether a request may be sent, by one of the methods. */
  answerPreflight(request: IncomingMessage, response: ServerResponse, methods: string): void {
    response.writeHead(204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': selectHeaders(request, this.takesDpop),
      'Access-Control-Max-Age': this.options.maxAgeSeconds,
      'Content-Length': 0,
    });
    response.end();
  }

  #allows(origin: string): boolean {
    return this.#allowsAny || this.#origins.has(origin);
  }
}

/** Completes an answer of the application's own CORS, which does not know which headers MCP clients read. */
export function exposeHeaders(response: ServerResponse, takesDpop = false): void {
  if (!response.hasHeader('Access-Control-Allow-Origin')) return;
  if (response.hasHeader('Access-Control-Expose-Headers')) return;
  response.setHeader('Access-Control-Expose-Headers', listExposed(takesDpop));
}

function listExposed(takesDpop: boolean): string {
  return takesDpop ? `${EXPOSED_HEADERS}, ${NONCE_HEADER}` : EXPOSED_HEADERS;
}

/** The tools decide which parameters are repeated as `Mcp-Param-*`, so the requested ones are allowed. */
function selectHeaders(request: IncomingMessage, takesDpop: boolean): string {
  const asked = request.headers['access-control-request-headers'] ?? '';
  const parameters = asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/i.test(name))
    .slice(0, 64);
  return [...ALLOWED_HEADERS, ...(takesDpop ? [PROOF_HEADER] : []), ...parameters].join(', ');
}
