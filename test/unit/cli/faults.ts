import type { Incoming, Traits } from '../../support/fixture-endpoint.js';

/** A server with one thing wrong, and the checks that shall say so. */
export interface PlantedFault {
  readonly what: string;
  readonly ids: readonly string[];
  readonly traits: Traits;
  readonly token?: string;
  readonly timeoutMs?: number;
}

type Condition = (request: Incoming) => boolean;

const atEndpoint: Condition = ({ path }) => path === '/mcp';
const atPost: Condition = ({ method, path }) => method === 'POST' && path === '/mcp';
const atGet: Condition = ({ method, path }) => method === 'GET' && path === '/mcp';

/** Answers what meets the condition with this. */
export function answer(condition: Condition, status: number, headers = {}, body = ''): Traits {
  return {
    takeOver: (request, response) => {
      if (!condition(request)) return false;
      response.writeHead(status, headers).end(body);
      return true;
    },
  };
}

/** What pages send in a session, but to take up a stream again. */
const OF_SESSIONS = 'authorization, content-type, mcp-session-id, mcp-protocol-version';

const TOKEN = 'opaque-token-of-the-fixture';
const CLOSED = { token: TOKEN };

/** What a JWT would say; who signed it does not matter to one that has no key. */
export function writeToken(claims: { readonly [name: string]: unknown }): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'ES256' })}.${encode(claims)}.c2lnbmF0dXJl`;
}

const NOW = Math.floor(Date.now() / 1000);

/** Faults of the endpoint itself. */
export const ENDPOINT_FAULTS: readonly PlantedFault[] = [
  { what: 'a list of tools that is none', ids: ['catalog'], traits: { tools: 'find' } },
  {
    what: 'a redirect to the path with a slash',
    ids: ['redirect'],
    traits: answer(atEndpoint, 301, { location: '/mcp/' }),
  },
  { what: 'a wrong path', ids: ['path'], traits: answer(atEndpoint, 404, {}, 'Not Found') },
  { what: 'a path that takes no POST', ids: ['path'], traits: answer(atPost, 405) },
  {
    what: 'a log-in page in the way',
    ids: ['json-rpc'],
    traits: answer(atEndpoint, 200, { 'content-type': 'text/html' }, '<!doctype html><title>Log in</title>'),
  },
  {
    what: 'a proxy that does not reach the server',
    ids: ['json-rpc'],
    traits: answer(atEndpoint, 502, { 'content-type': 'text/html' }, '<html>Bad Gateway</html>'),
  },
  { what: 'JSON as text', ids: ['content-type'], traits: { headers: { 'content-type': 'text/plain' } } },
  {
    what: 'a discovery that names no version',
    ids: ['discover'],
    traits: { discovery: { supportedVersions: [], capabilities: {} } },
  },
  { what: 'a handshake without a version', ids: ['handshake'], traits: { handshake: { capabilities: {} } } },
  { what: 'a session id with a space', ids: ['session-id'], traits: { sessionId: 'session 1' } },
  {
    what: 'a balancer that takes turns',
    ids: ['session'],
    traits: answer(({ rpc, count }) => rpc === 'ping' && count === 1, 404),
  },
  {
    what: 'a session of its own with every answer',
    ids: ['session'],
    traits: {
      takeOver: ({ rpc }, response) => {
        if (rpc === 'ping') response.setHeader('mcp-session-id', 'another-session');
        return false;
      },
    },
  },
  {
    what: 'an unknown session that returns 400',
    ids: ['unknown-session'],
    traits: answer(({ rpc, headers }) => rpc === 'ping' && headers['mcp-session-id'] !== 'session-1', 400),
  },
  {
    what: 'a standing stream that is none',
    ids: ['stream'],
    traits: answer(atGet, 200, { 'content-type': 'application/json' }, '{}'),
  },
  {
    what: 'a proxy that holds the stream back',
    ids: ['stream-first-byte'],
    traits: { takeOver: atGet },
    timeoutMs: 1000,
  },
  {
    what: 'a compressed stream',
    ids: ['stream-compression'],
    traits: {
      takeOver: (request, response) => {
        if (atGet(request)) response.setHeader('content-encoding', 'gzip');
        return false;
      },
    },
  },
  {
    what: 'a DELETE that a proxy refuses',
    ids: ['session-end'],
    traits: answer(({ method }) => method === 'DELETE', 501),
  },
  {
    what: 'a DELETE that ends nothing',
    ids: ['session-end'],
    traits: answer(({ method }) => method === 'DELETE', 204),
  },
  { what: 'an open door for foreign origins', ids: ['origin'], traits: { allowsAnonymous: 'origin' } },
  { what: 'an open door for foreign hosts', ids: ['host'], traits: { allowsAnonymous: 'host' } },
  {
    what: 'a preflight that does not allow tokens',
    ids: ['cors-preflight'],
    traits: { cors: { allowed: '*', exposed: 'mcp-session-id' } },
  },
  {
    what: 'a preflight that allows what sessions need alone',
    ids: ['cors-preflight'],
    traits: { cors: { allowed: `${OF_SESSIONS}, last-event-id`, exposed: 'mcp-session-id' } },
  },
  {
    what: 'a preflight that lets no page take up a stream again',
    ids: ['cors-preflight'],
    traits: { cors: { allowed: `${OF_SESSIONS}, mcp-method, mcp-name`, exposed: 'mcp-session-id' } },
  },
  {
    what: 'a session id that pages cannot read',
    ids: ['cors-exposed'],
    traits: {
      cors: { allowed: `${OF_SESSIONS}, mcp-method, mcp-name, last-event-id`, exposed: '' },
    },
  },
];

/** A resource and its challenge that take bound tokens, and an authorization server that gives such. */
export const BOUND = {
  ...CLOSED,
  challenge: (origin: string) => {
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    return `Bearer ${metadata}, DPoP ${metadata}, algs="ES256"`;
  },
  cors: { allowed: `${OF_SESSIONS}, mcp-method, mcp-name, last-event-id, dpop`, exposed: '*' },
  resource: () => ({ dpop_signing_alg_values_supported: ['ES256'] }),
  server: () => ({ dpop_signing_alg_values_supported: ['ES256', 'RS256'] }),
} as const;

/** Faults on the way to a token. */
export const AUTHORIZATION_FAULTS: readonly PlantedFault[] = [
  { what: 'a 401 without a challenge', ids: ['challenge'], traits: { ...CLOSED, challenge: () => null } },
  {
    what: 'a Basic challenge',
    ids: ['challenge'],
    traits: { ...CLOSED, challenge: () => 'Basic realm="desk"' },
  },
  {
    what: 'proofs that the challenge does not ask for',
    ids: ['dpop'],
    traits: {
      ...BOUND,
      challenge: (origin) => `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
    },
  },
  {
    what: 'proofs by secrets',
    ids: ['dpop'],
    traits: { ...BOUND, resource: () => ({ dpop_signing_alg_values_supported: ['ES256', 'HS256'] }) },
  },
  {
    what: 'bound tokens that nobody gives',
    ids: ['dpop-servers'],
    traits: {
      ...BOUND,
      resource: () => ({ ...BOUND.resource(), dpop_bound_access_tokens_required: true }),
      server: () => ({ dpop_signing_alg_values_supported: ['EdDSA'] }),
    },
  },
  {
    what: 'a challenge without quotes',
    ids: ['challenge'],
    traits: { ...CLOSED, challenge: (origin) => `Bearer resource_metadata=${origin}/x` },
  },
  {
    what: 'a relative "resource_metadata"',
    ids: ['challenge-metadata'],
    traits: {
      ...CLOSED,
      challenge: () => 'Bearer resource_metadata="/.well-known/oauth-protected-resource"',
    },
  },
  {
    what: 'a "resource_metadata" of another origin',
    ids: ['challenge-metadata'],
    traits: {
      ...CLOSED,
      challenge: (origin) =>
        `Bearer resource_metadata="${origin.replace('127.0.0.1', 'localhost')}/.well-known/oauth-protected-resource"`,
    },
  },
  {
    what: 'a "resource_metadata" that leads nowhere',
    ids: ['metadata'],
    traits: { ...CLOSED, challenge: (origin) => `Bearer resource_metadata="${origin}/nowhere"` },
  },
  {
    what: 'metadata of another resource',
    ids: ['metadata-resource'],
    traits: { ...CLOSED, resource: () => ({ resource: 'https://desk.example.com/mcp' }) },
  },
  {
    what: 'a resource whose path only looks alike',
    ids: ['metadata-resource'],
    traits: { ...CLOSED, resource: (origin) => ({ resource: `${origin}/m` }) },
  },
  {
    what: 'no authorization server',
    ids: ['metadata-servers'],
    traits: { ...CLOSED, resource: () => ({ authorization_servers: [] }) },
  },
  {
    what: 'an authorization server without metadata',
    ids: ['server-metadata'],
    traits: { ...CLOSED, resource: (origin) => ({ authorization_servers: [`${origin}/tenant`] }) },
  },
  {
    what: 'an issuer with a slash more',
    ids: ['server-issuer'],
    traits: { ...CLOSED, server: (origin) => ({ issuer: `${origin}/` }) },
  },
  {
    what: 'an authorization server without a token endpoint',
    ids: ['server-endpoints'],
    traits: { ...CLOSED, server: () => ({ token_endpoint: undefined }) },
  },
  {
    what: 'an authorization server that says nothing of PKCE',
    ids: ['server-pkce'],
    traits: { ...CLOSED, server: () => ({ code_challenge_methods_supported: undefined }) },
  },
  {
    what: 'a key set that leads nowhere',
    ids: ['server-keys'],
    traits: { ...CLOSED, server: (origin) => ({ jwks_uri: `${origin}/nowhere` }) },
  },
  {
    what: 'a key set of secrets only',
    ids: ['server-keys'],
    traits: { ...CLOSED, keys: [{ kty: 'oct', k: 'c2VjcmV0' }] },
  },
];

/** Faults of a token that the server refuses; each says all else rightly. */
export const TOKEN_FAULTS: readonly (Omit<PlantedFault, 'token'> & {
  readonly claims?: { readonly [name: string]: unknown };
})[] = [
  { what: 'an opaque token', ids: ['token'], traits: CLOSED },
  {
    what: 'a token of a stranger',
    ids: ['token', 'token-issuer'],
    traits: CLOSED,
    claims: { iss: 'https://a.test' },
  },
  {
    what: 'a token for others',
    ids: ['token', 'token-audience'],
    traits: CLOSED,
    claims: { aud: ['https://a.test'] },
  },
  {
    what: 'a token that has ended',
    ids: ['token', 'token-lifetime'],
    traits: CLOSED,
    claims: { exp: NOW - 900 },
  },
  {
    what: 'a token of tomorrow',
    ids: ['token', 'token-lifetime'],
    traits: CLOSED,
    claims: { nbf: NOW + 900 },
  },
  {
    what: 'a token with too few scopes',
    ids: ['token', 'token-scope'],
    traits: CLOSED,
    claims: { scope: 'mail' },
  },
];
