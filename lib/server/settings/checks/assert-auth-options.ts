import {
  assertMembers,
  either,
  fail,
  flag,
  httpUrl,
  list,
  members,
  milliseconds,
  notNegative,
  oneOf,
  oneOrSeveral,
  positive,
  required,
  text,
  type Check,
  type Checks,
} from '../../../core/checks/option-checks.js';
import { coversEndpoint } from '../../../core/oauth/covers-endpoint.js';
import { isScope } from '../../../core/oauth/scope.js';
import { findIdentityFault } from '../../../core/oauth/token-endpoint/client-identity.js';
import { buildServerMetadataUrls } from '../../../core/oauth/well-known.js';
import { quoteAll } from '../../../core/words/quote-all.js';
import type { AuthOptions, BearerOptions, TokenExchangeOptions } from '../auth-options.interface.js';
import { ASYMMETRIC_ALGORITHMS, ID_TOKEN_CLAIMS } from '../auth-settings.js';
import { assertBindable, dpop } from './dpop-checks.js';
import { createJwtCheck } from './jwt-checks.js';
import { createUrlChecks, insecureHosts, type UrlChecks } from './url-checks.js';

/** What the server fills in itself, with what is to be changed in its place. */
const OWN_MEMBERS: { readonly [member: string]: string } = {
  resource: 'say it by "auth.resourceUri"',
  authorization_servers: 'say it by "auth.authorizationServers"',
  scopes_supported: 'say it by "auth.scopesSupported"',
  bearer_methods_supported: 'note that tokens are taken from the header alone',
  dpop_signing_alg_values_supported: 'say it by "auth.dpop"',
  dpop_bound_access_tokens_required: 'say it by "auth.dpop"',
};

/** Checks an object that can be sent as JSON. */
const jsonObject: Check = (option, value) => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || !isSerialisable(value)) fail(option, 'must be an object that can be written as JSON');
};

/** Checks the members of the metadata that the server does not know itself (RFC 9728 §2). */
const resourceMetadata: Check = (option, value) => {
  jsonObject(option, value);
  for (const [name, member] of Object.entries(value as object)) {
    const remedy = Object.hasOwn(OWN_MEMBERS, name) ? OWN_MEMBERS[name] : undefined;
    if (member === undefined || remedy === undefined) continue;
    fail(`${option}.${name}`, `is filled in by the server: leave it out, and ${remedy}`);
  }
};

function isSerialisable(value: object): boolean {
  try {
    return typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
}

const privateKey: Check = (option, value) => {
  const isKey =
    typeof value === 'string' ? value.includes('PRIVATE KEY') : typeof value === 'object' && value !== null;
  if (!isKey) fail(option, 'must be a private key, as PEM or JWK');
};

const EXCHANGE: Checks = {
  profile: oneOf('token-exchange', 'on-behalf-of'),
  clientId: required(text, '"desk"'),
  clientSecret: text,
  privateKey,
  assertionAudience: oneOf('issuer', 'token_endpoint'),
  signingAlgorithm: oneOf(...ASYMMETRIC_ALGORITHMS),
  keyId: text,
  authenticationMethod: oneOf('client_secret_basic', 'client_secret_post', 'private_key_jwt'),
  cacheSize: positive,
  timeoutMs: milliseconds,
};

/** Creates the check of `auth.exchange`. */
function createExchangeCheck(secureUrl: Check): Check {
  const checks = { tokenEndpoint: secureUrl, ...EXCHANGE };
  return (option, value) => {
    assertMembers(option, value, checks);
    const options = value as TokenExchangeOptions;
    const found = findIdentityFault(options);
    if (found !== undefined) fail(`${option}.${found.member}`, found.fault);
    if (options.clientSecret === undefined && options.privateKey === undefined) {
      fail(
        `${option}.clientSecret`,
        'is required, or "privateKey": write for example process.env.DESK_SECRET',
      );
    }
  };
}

/** Checks the option `auth`, as far as it does not depend on others. */
export const assertAuthOptions: Check = (option, value) => {
  assertMembers(option, value, createChecks(createUrlChecks(value)));
  const auth = value as AuthOptions;
  if (VALIDATORS.every((name) => auth[name] === undefined)) {
    fail(option, `must have a way to validate tokens: give ${quoteAll(VALIDATORS)}`);
  }
  if (auth.exchange !== undefined && auth.jwt === undefined && auth.introspection === undefined) {
    fail(
      `${option}.exchange`,
      'needs "jwt" or "introspection" beside it: no other tokens are sent to an authorization server',
    );
  }
  assertBindable(option, auth);
  assertIssuersApart(`${option}.jwt`, auth);
  if (!hasServers(auth)) assertNoServersNeeded(option, auth);
};

/**
 * Checks that the audience of tokens is configured. Clients learn it from the metadata, which is served if
 * authorization servers are named. An `audience` of a validator's own is beside that.
 *
 * @throws {OptionError} if neither option says so, or the one that does cannot stand for the other
 */
export function assertResourceNamed(auth: AuthOptions | undefined, publicUrl: string | undefined): void {
  if (auth === undefined || auth.resourceUri !== undefined || !hasServers(auth)) return;
  if (publicUrl !== undefined) return resourceUri('publicUrl', publicUrl);
  fail(
    'publicUrl',
    'is required with "auth.authorizationServers", or else "auth.resourceUri": write the URL by which clients know the endpoint, for example "https://desk.example.com/mcp"',
  );
}

/**
 * Checks two options that say one thing in most servers: `resourceUri` differs only if tokens are for more than the endpoint.
 *
 * @throws {OptionError} if clients would refuse the one because of the other
 * @see MCP 2026-07-28 basic/authorization, "Canonical Server URI"
 */
export function assertResourceCovers(auth: AuthOptions | undefined, publicUrl: string | undefined): void {
  const resource = auth?.resourceUri;
  if (resource === undefined || publicUrl === undefined) return;
  if (coversEndpoint(new URL(resource), new URL(publicUrl))) return;
  fail(
    'auth.resourceUri',
    `is "${resource}", and "publicUrl" is "${publicUrl}", which clients take for another server: leave "auth.resourceUri" out, or write a URL at or above "publicUrl"`,
  );
}

/**
 * Refuses to fetch the metadata of an authorization server from where it is served.
 *
 * @throws {OptionError} if the issuer's metadata is at a URL of this server's own
 */
export function assertNotOwnMetadata(auth: AuthOptions | undefined, publicUrl: string | undefined): void {
  const [issuer] = auth?.authorizationServers ?? [];
  const own = auth?.resourceUri ?? publicUrl;
  if (auth?.authorizationServerMetadata !== 'proxy' || issuer === undefined || own === undefined) return;
  const served = [own, publicUrl ?? own, new URL(own).origin].map((url) => buildServerMetadataUrls(url)[0]);
  if (!buildServerMetadataUrls(issuer).some((url) => served.includes(url))) return;
  fail(
    'auth.authorizationServerMetadata',
    `must not be "proxy" for the issuer "${issuer}", whose metadata this server would fetch from itself: write the metadata as an object, or leave the option out`,
  );
}

/** The first entry that knows the issuer of a token decides, so no other would ever be asked. */
function assertIssuersApart(option: string, { jwt = [], authorizationServers = [] }: AuthOptions): void {
  const issuers = [jwt].flat().flatMap(({ issuer = authorizationServers }) => [...new Set([issuer].flat())]);
  const twice = issuers.find((issuer, index) => issuers.indexOf(issuer) < index);
  if (twice === undefined) return;
  fail(
    option,
    `must not have two entries for ${JSON.stringify(twice)}: list its audiences and types in one, and name the "issuer" of each`,
  );
}

function hasServers({ authorizationServers = [] }: AuthOptions): boolean {
  return authorizationServers.length > 0;
}

/** Refuses what would have no effect without authorization servers, or could not work. */
function assertNoServersNeeded(option: string, auth: AuthOptions): void {
  const isProxied = auth.authorizationServerMetadata === 'proxy';
  const needing = isProxied
    ? 'authorizationServerMetadata'
    : NEED_SERVERS.find((name) => auth[name] !== undefined);
  if (needing === undefined) return;
  fail(
    `${option}.authorizationServers`,
    `is required with "${needing}": write for example ["https://login.example.com"]`,
  );
}

const NEED_SERVERS = ['jwt', 'introspection', 'resourceMetadata', 'resourceMetadataUrl'] as const;

const VALIDATORS = ['bearer', 'jwt', 'validator', 'introspection'] as const;

const SHORTEST_TOKEN = 16;

const resourceUri: Check = (option, value) => {
  httpUrl(option, value);
  if (String(value).includes('#')) fail(option, 'must not have a fragment');
};

const scope: Check = (option, value) => {
  if (!isScope(value)) fail(option, 'must be a scope such as "desk:read", without spaces');
};

const token: Check = (option, value) => {
  if (typeof value !== 'string' || !/^[A-Za-z0-9\-._~+/]+=*$/.test(value) || value.length < SHORTEST_TOKEN) {
    fail(
      option,
      `must be a token of at least ${SHORTEST_TOKEN} letters, digits and "-._~+/": make one with "openssl rand -hex 32"`,
    );
  }
};

const validator: Check = (option, value) => {
  const isOne =
    typeof value === 'function' || typeof (value as { validate?: unknown })?.validate === 'function';
  if (!isOne) fail(option, 'must be a class of the application\'s providers, or an object with "validate"');
};

const BEARER: Checks = {
  token: required(token, 'process.env.DESK_TOKEN'),
  subject: text,
  scopes: list(scope),
};

/** Whom a token stands for must be known without going by the order of a list. */
const bearer: Check = (option, value) => {
  oneOrSeveral(either('string', token, members(BEARER)))(option, value);
  const given = (Array.isArray(value) ? value : [value]) as readonly (string | BearerOptions)[];
  const tokens = given.map((one) => (typeof one === 'string' ? one : one.token));
  if (new Set(tokens).size < tokens.length) {
    fail(option, 'must not hold one token twice: give each caller a token of its own');
  }
};

/** What URLs of authorization servers may be depends on the hosts that are named for plain `http`. */
function createChecks(urls: UrlChecks): Checks {
  const { secureUrl } = urls;
  return {
    resourceUri,
    authorizationServers: list(secureUrl),
    scopesSupported: list(scope),
    requiredScopes: list(scope),
    jwt: oneOrSeveral(createJwtCheck(urls)),
    bearer,
    introspection: members({
      endpoint: secureUrl,
      clientId: required(text, '"desk"'),
      clientSecret: required(text, 'process.env.DESK_SECRET'),
      authenticationMethod: oneOf('client_secret_basic', 'client_secret_post'),
      audience: oneOrSeveral(text),
      toleratedClaims: list(oneOf(...ID_TOKEN_CLAIMS)),
      unsafeAllowMissingAudience: flag,
      cacheTtlMs: notNegative,
      graceMs: notNegative,
      cacheSize: positive,
      timeoutMs: milliseconds,
    }),
    exchange: createExchangeCheck(secureUrl),
    dpop,
    validator,
    resourceMetadata,
    resourceMetadataUrl: httpUrl,
    authorizationServerMetadata: either('string', oneOf('proxy'), jsonObject),
    filterLists: flag,
    insecureHosts,
    ignoreIssuerSlash: flag,
    endStreamsWithToken: flag,
  };
}
