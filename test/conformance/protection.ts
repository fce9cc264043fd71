import type { AuthOptions } from 'nestjs-mcp';
import { IssuerKey } from '../support/authorization/issuer-key.js';
import { TestIssuer } from '../support/authorization/issuer.js';
import { SCOPE_TOKENS } from './fixtures/scope-challenges.js';

/** Where the fixture is protected: how, and what it made up for that on its own. */
export interface Protection {
  readonly auth: AuthOptions;
  /** Tells callers what they cannot know; empty where the environment said everything. */
  readonly announcement: readonly string[];
  stop(): Promise<void>;
}

const TOKEN = 'fixture-token-0123456789';
const TOKEN_LIFETIME_SECONDS = 86_400;
const ALGORITHMS = ['ES256', 'RS256'];
/** What `test_scoped` requires. */
const SCOPE = 'tools:admin';

/**
 * Protects the fixture as the environment says; nothing where that leaves it open.
 *
 * @param url the URL that clients know the fixture by
 */
export async function protect(environment: NodeJS.ProcessEnv, url: string): Promise<Protection | undefined> {
  if (environment['AUTH'] === 'bearer') return protectByToken(environment['TOKEN']);
  if (environment['AUTH'] === 'scopes') return protectByScopes(url);
  if (environment['AUTH'] !== 'jwt') return undefined;
  const { ISSUER, AUDIENCE = url } = environment;
  if (ISSUER === undefined) return protectByOwnIssuer(AUDIENCE, environment);
  const auth = buildAuth({ issuer: ISSUER, audience: AUDIENCE }, environment);
  return { auth, announcement: [], stop: async () => undefined };
}

function protectByToken(given: string | undefined): Protection {
  const token = given ?? TOKEN;
  return {
    auth: { bearer: token },
    announcement: given === undefined ? [`token ${token}`] : [],
    stop: async () => undefined,
  };
}

/** What the draft scenario of scope challenges expects: two tokens, and metadata that its challenges name. */
export function protectByScopes(url: string): Protection {
  const authorizationServers = ['https://login.example.com'];
  return {
    auth: { resourceUri: url, authorizationServers, bearer: SCOPE_TOKENS },
    announcement: [],
    stop: async () => undefined,
  };
}

async function protectByOwnIssuer(audience: string, environment: NodeJS.ProcessEnv): Promise<Protection> {
  const issuer = await TestIssuer.start({ audience });
  issuer.keys = await Promise.all(ALGORITHMS.map((algorithm) => IssuerKey.create(algorithm)));
  const exp = Math.floor(Date.now() / 1000) + TOKEN_LIFETIME_SECONDS;
  const scope = [...listScopes(environment), SCOPE].join(' ');
  return {
    auth: buildAuth({ issuer: issuer.url, audience }, environment),
    announcement: [`issuer ${issuer.url}`, `token ${await issuer.token({ scope, exp })}`],
    stop: () => issuer.stop(),
  };
}

interface TokenFacts {
  readonly issuer: string;
  readonly audience: string;
}

function buildAuth({ issuer, audience }: TokenFacts, environment: NodeJS.ProcessEnv): AuthOptions {
  const { JWKS_URL, CACHE_TTL_MS } = environment;
  return {
    resourceUri: audience,
    authorizationServers: [issuer],
    requiredScopes: listScopes(environment),
    jwt: {
      ...(JWKS_URL && { jwksUrl: JWKS_URL }),
      ...(CACHE_TTL_MS && { cacheTtlMs: Number(CACHE_TTL_MS) }),
    },
  };
}

function listScopes({ REQUIRED_SCOPES = '' }: NodeJS.ProcessEnv): string[] {
  return REQUIRED_SCOPES.split(' ').filter((scope) => scope !== '');
}
