// The "auth" options and the checks that compare them: each is defined once, and most lines are docstrings.

import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import {
  nested,
  optionGroup,
  type NestedRows,
  type OptionGroup,
  type Settings,
} from '../../../core/checks/option-group.js';
import type { GivenClaims } from '../../../core/oauth/access-token.js';
import { coversEndpoint } from '../../../core/oauth/audience.js';
import { isScope } from '../../../core/oauth/scope.js';
import { buildServerMetadataUrls } from '../../../core/oauth/metadata.js';
import { quoteAll } from '../../../core/words/words.js';
import { buildDpopSettings, DPOP, type DpopOptions, type DpopSettings } from './dpop-options.js';
import {
  buildExchangeSettings,
  declareExchange,
  type TokenExchangeOptions,
  type TokenExchangeSettings,
} from './exchange-options.js';
import {
  buildIntrospectionSettings,
  declareIntrospection,
  type IntrospectionOptions,
  type IntrospectionSettings,
} from './introspection-options.js';
import { createUrlChecks, insecureHosts, listOf, type UrlChecks } from './issuer-urls.js';
import { buildJwtSettings, declareJwt, type JwtOptions, type JwtSettings } from './jwt-options.js';

/**
 * Makes the server an OAuth 2.1 resource server. Every request must have a token that one of the validators accepts.
 *
 * You can combine validators. The order is `bearer`, `jwt`, `validator`, `introspection`, so that the network is used
 * last. The first validator that recognizes a token decides.
 *
 * @example
 * publicUrl: 'https://desk.example.com/mcp',
 * auth: {
 *   authorizationServers: ['https://login.example.com'],
 *   jwt: {},
 * },
 *
 * @see MCP 2026-07-28 basic/authorization, RFC 9728, RFC 6750
 */
export interface AuthOptions {
  /**
   * The token audience, if it is a URL above the server's `publicUrl`, such as the whole origin. @default `publicUrl`
   */
  readonly resourceUri?: string;
  /**
   * The token issuers, exactly as in the `iss` claim; required with `jwt` and `introspection`. @default none: no
   * metadata is served
   */
  readonly authorizationServers?: readonly string[];
  /** Scopes to list in the metadata. @default `requiredScopes` and the scopes in `@RequireScope()` */
  readonly scopesSupported?: readonly string[];
  /** Scopes that every token must have. A token that lacks any of them is rejected with 403. @default [] */
  readonly requiredScopes?: readonly string[];
  /** Validates JWTs. Pass an array if issuers need different settings. */
  readonly jwt?: JwtOptions | readonly JwtOptions[];
  /** Fixed tokens, for services that know each other. Each entry is a token, or a token with its subject and scopes. */
  readonly bearer?: string | BearerOptions | readonly (string | BearerOptions)[];
  /** Validates opaque tokens through the authorization server's introspection endpoint (RFC 7662). */
  readonly introspection?: IntrospectionOptions;
  /**
   * Lets tools exchange callers' tokens for tokens for other services (RFC 8693, or on-behalf-of). @default tokens
   * are not exchanged
   */
  readonly exchange?: TokenExchangeOptions;
  /** A custom validator: a provider's class, or an instance. */
  readonly validator?: TokenValidator | ValidatorClass;
  /**
   * Accepts tokens that are bound to a client's key, with proof of possession in each request (RFC 9449). `allowed`
   * accepts bearer tokens too. `required` rejects them.
   * @default bound tokens are rejected
   * @see docs/dpop.md
   */
  readonly dpop?: DpopOptions['mode'] | DpopOptions;
  /** Additional metadata properties, such as `resource_name` (RFC 9728 §2). @default none */
  readonly resourceMetadata?: { readonly [member: string]: unknown };
  /** The metadata URL that challenges name. @default derived from `resourceUri` (RFC 9728 §3.1) */
  readonly resourceMetadataUrl?: string;
  /** Serves the authorization server's metadata too, for clients that look for it here. `proxy` fetches it from the first server. @default not served */
  readonly authorizationServerMetadata?: 'proxy' | { readonly [member: string]: unknown };
  /** Hides entries from lists if the caller's scopes do not allow them. @default false */
  readonly filterLists?: boolean;
  /**
   * Authorization server hosts that may be called over plain `http`, such as `keycloak` in a container network.
   * Anyone on the network path can read secrets and supply forged keys.
   * @default []
   * @see docs/identity-providers/README.md, "Container networks"
   */
  readonly insecureHosts?: readonly string[];
  /** Ignores one trailing slash in issuers, in both metadata and tokens. @default false */
  readonly ignoreIssuerSlash?: boolean;
  /** Ends an event stream when its token expires. A webhook ends with the token that last refreshed it. @default false */
  readonly endStreamsWithToken?: boolean;
}

/** A fixed token. */
export interface BearerOptions {
  /** The token, with at least 16 characters. Read it from the environment. */
  readonly token: string;
  /** The token's subject. @default none */
  readonly subject?: string;
  /** The token's scopes. @default [] */
  readonly scopes?: readonly string[];
}

/**
 * Validates custom tokens.
 *
 * @example
 * class KeyValidator implements TokenValidator { constructor(private readonly keys: ApiKeys) {}
 *   async validate(token: string) {
 *     const key = await this.keys.find(token);
 *     return key && { sub: key.owner, scopes: key.scopes };
 *   }
 * }
 */
export interface TokenValidator {
  /**
   * Returns a token's claims, or `undefined` if it does not recognize the token.
   *
   * @throws {InvalidTokenError} if it recognizes the token, but the token is not valid
   * @throws {AuthUnavailableError} if it cannot check the token at the moment
   */
  validate(token: string): GivenClaims | undefined | Promise<GivenClaims | undefined>;
}

/** A validator as a class that the application provides. */
export type ValidatorClass = new (...dependencies: never[]) => TokenValidator;

/** Resource server options without a fixed default. */
type OpenAuthOption =
  | 'resourceUri'
  | 'scopesSupported'
  | 'jwt'
  | 'bearer'
  | 'introspection'
  | 'exchange'
  | 'validator'
  | 'dpop'
  | 'resourceMetadataUrl'
  | 'authorizationServerMetadata';

/** Options whose settings have a different form. */
type BuiltAuthOption = 'jwt' | 'bearer' | 'introspection' | 'exchange' | 'dpop';

/** The resource server options with all defaults applied. */
export interface AuthSettings extends Omit<Settings<AuthOptions, OpenAuthOption>, BuiltAuthOption> {
  /** The option that contains the resource. */
  readonly resourceOption: 'publicUrl' | 'auth.resourceUri';
  readonly jwt: readonly JwtSettings[];
  readonly bearer: readonly BearerOptions[];
  readonly introspection?: IntrospectionSettings;
  readonly exchange?: TokenExchangeSettings;
  readonly dpop?: DpopSettings;
}

/** Properties that the server sets itself, with the option to use instead. */
const OWN_MEMBERS: { readonly [member: string]: string } = {
  resource: 'set "auth.resourceUri" instead',
  authorization_servers: 'set "auth.authorizationServers" instead',
  scopes_supported: 'set "auth.scopesSupported" instead',
  bearer_methods_supported: 'note that tokens are accepted only in the header',
  dpop_signing_alg_values_supported: 'set "auth.dpop" instead',
  dpop_bound_access_tokens_required: 'set "auth.dpop" instead',
};

/** Checks an object that can be sent as JSON. */
const jsonObject: Check = (option, value) => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || !isSerialisable(value))
    check.fail(option, 'must be an object that can be serialized as JSON');
};

/** Checks the metadata properties that the server does not set itself (RFC 9728 §2). */
const resourceMetadata: Check = (option, value) => {
  jsonObject(option, value);
  for (const [name, member] of Object.entries(value as object)) {
    const fix = Object.hasOwn(OWN_MEMBERS, name) ? OWN_MEMBERS[name] : undefined;
    if (member === undefined || fix === undefined) continue;
    check.fail(`${option}.${name}`, `is set by the server: omit it, and ${fix}`);
  }
};

function isSerialisable(value: object): boolean {
  try {
    return typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
}

const SHORTEST_TOKEN = 16;

const resourceUri: Check = (option, value) => {
  check.httpUrl(option, value);
  if (String(value).includes('#')) check.fail(option, 'must not have a fragment');
};

const scope: Check = (option, value) => {
  if (!isScope(value)) check.fail(option, 'must be a scope such as "desk:read", without spaces');
};

const token: Check = (option, value) => {
  if (typeof value !== 'string' || !/^[A-Za-z0-9\-._~+/]+=*$/.test(value) || value.length < SHORTEST_TOKEN) {
    check.fail(
      option,
      `must be a token of at least ${SHORTEST_TOKEN} letters, digits and "-._~+/": generate one with "openssl rand -hex 32"`,
    );
  }
};

const validator: Check = (option, value) => {
  const isOne =
    typeof value === 'function' || typeof (value as { validate?: unknown })?.validate === 'function';
  if (!isOne) check.fail(option, 'must be a provider class, or an object with a "validate" method');
};

const BEARER = optionGroup<BearerOptions, 'subject'>({
  token: check.required(token, 'process.env.DESK_TOKEN'),
  subject: check.nonEmptyString,
  scopes: [check.list(scope), []],
});

/** A token must identify its caller regardless of list order. */
const bearerTokens: Check = (option, value) => {
  check.oneOrMore(check.either('string', token, BEARER.check))(option, value);
  const given = (Array.isArray(value) ? value : [value]) as readonly (string | BearerOptions)[];
  const tokens = given.map((one) => (typeof one === 'string' ? one : one.token));
  if (new Set(tokens).size < tokens.length) {
    check.fail(option, 'must not contain a token twice: give each caller a separate token');
  }
};

/** The allowed authorization server URLs depend on the hosts listed for plain `http`. */
function declareAuth(urls: UrlChecks): OptionGroup<AuthOptions, OpenAuthOption> {
  const jwt = declareJwt(urls);
  return optionGroup<AuthOptions, OpenAuthOption>(
    {
      resourceUri,
      authorizationServers: [check.list(urls.secureUrl), []],
      scopesSupported: check.list(scope),
      requiredScopes: [check.list(scope), []],
      jwt: nested(check.oneOrMore(jwt.check), jwt),
      bearer: nested(bearerTokens, BEARER),
      introspection: declareIntrospection(urls),
      exchange: declareExchange(urls),
      dpop: DPOP,
      validator,
      resourceMetadata: [resourceMetadata, {}],
      resourceMetadataUrl: check.httpUrl,
      authorizationServerMetadata: check.either('string', check.oneOf('proxy'), jsonObject),
      filterLists: [check.flag, false],
      insecureHosts: [insecureHosts, []],
      ignoreIssuerSlash: [check.flag, false],
      endStreamsWithToken: [check.flag, false],
    },
    { together: assertTogether },
  );
}

const AUTH_GROUP = declareAuth(createUrlChecks(undefined));

/** The part of the `auth` option's row that does not depend on other options. */
export const AUTH: NestedRows = nested(
  check.unlessFalse((option, value) => declareAuth(createUrlChecks(value)).check(option, value)),
  AUTH_GROUP,
);

const VALIDATORS = ['bearer', 'jwt', 'validator', 'introspection'] as const;

function assertTogether(option: string, auth: AuthOptions): void {
  if (VALIDATORS.every((name) => auth[name] === undefined)) {
    check.fail(option, `must include a way to validate tokens: set at least one of ${quoteAll(VALIDATORS)}`);
  }
  if (auth.exchange !== undefined && auth.jwt === undefined && auth.introspection === undefined) {
    check.fail(
      `${option}.exchange`,
      'requires "jwt" or "introspection": other tokens are not sent to an authorization server',
    );
  }
  assertBindable(option, auth);
  assertIssuersApart(`${option}.jwt`, auth);
  if (!hasServers(auth)) assertNoServersNeeded(option, auth);
}

/** Rejects fixed tokens if bound tokens are required, because fixed tokens are not bound to a key. */
function assertBindable(option: string, { dpop: given, bearer, ...auth }: AuthOptions): void {
  if (given === undefined) return;
  const validators = ['jwt', 'validator', 'introspection'] as const;
  if (validators.every((name) => auth[name] === undefined)) {
    check.fail(
      `${option}.dpop`,
      'requires "jwt", "introspection" or "validator": fixed tokens are not bound to a key',
    );
  }
  const isRequired = (typeof given === 'string' ? given : given.mode) === 'required';
  if (!isRequired || bearer === undefined) return;
  check.fail(
    `${option}.bearer`,
    'has no effect if "dpop" is "required": remove it, or set "dpop" to "allowed"',
  );
}

/**
 * Checks the options that depend on the endpoint URL.
 *
 * @throws {OptionError} that names the first invalid option
 */
export function assertFitsEndpoint(auth: AuthOptions, publicUrl: string | undefined): void {
  assertResourceNamed(auth, publicUrl);
  assertResourceCovers(auth, publicUrl);
  assertNotOwnMetadata(auth, publicUrl);
  assertTargetNamed(auth, publicUrl);
}

/**
 * Checks that the token audience is configured. Clients learn it from the metadata, which is served if authorization
 * servers are configured. A validator's own `audience` is independent of that.
 *
 * @throws {OptionError} if neither option is set, or the one that is set cannot replace the other
 */
function assertResourceNamed(auth: AuthOptions, publicUrl: string | undefined): void {
  if (auth.resourceUri !== undefined || !hasServers(auth)) return;
  if (publicUrl !== undefined) return resourceUri('publicUrl', publicUrl);
  check.fail(
    'publicUrl',
    'is required with "auth.authorizationServers", unless "auth.resourceUri" is set: use the URL at which clients reach the endpoint, for example "https://desk.example.com/mcp"',
  );
}

/**
 * Checks two options that agree on most servers: `resourceUri` differs only if tokens cover more than the endpoint.
 *
 * @throws {OptionError} if clients would reject one because of the other
 * @see MCP 2026-07-28 basic/authorization, "Canonical Server URI"
 */
function assertResourceCovers(auth: AuthOptions, publicUrl: string | undefined): void {
  const resource = auth.resourceUri;
  if (resource === undefined || publicUrl === undefined) return;
  if (coversEndpoint(new URL(resource), new URL(publicUrl))) return;
  check.fail(
    'auth.resourceUri',
    `is "${resource}", but "publicUrl" is "${publicUrl}", which clients treat as a different server: remove "auth.resourceUri", or set it to a URL at or above "publicUrl"`,
  );
}

/**
 * Rejects options with which this server would fetch authorization server metadata from itself.
 *
 * @throws {OptionError} if the issuer's metadata URL belongs to this server
 */
function assertNotOwnMetadata(auth: AuthOptions, publicUrl: string | undefined): void {
  const [issuer] = auth.authorizationServers ?? [];
  const own = auth.resourceUri ?? publicUrl;
  if (auth.authorizationServerMetadata !== 'proxy' || issuer === undefined || own === undefined) return;
  const served = [own, publicUrl ?? own, new URL(own).origin].map((url) => buildServerMetadataUrls(url)[0]);
  if (!buildServerMetadataUrls(issuer).some((url) => served.includes(url))) return;
  check.fail(
    'auth.authorizationServerMetadata',
    `must not be "proxy" for the issuer "${issuer}", because this server would fetch its metadata from itself: set the metadata as an object, or remove the option`,
  );
}

/**
 * Checks that the URL that proofs must name is known.
 *
 * @throws {OptionError} if neither option is set
 */
function assertTargetNamed(auth: AuthOptions, publicUrl: string | undefined): void {
  if (auth.dpop === undefined || auth.resourceUri !== undefined || publicUrl !== undefined) return;
  check.fail(
    'publicUrl',
    'is required with "auth.dpop": use the URL at which clients reach the endpoint, because proofs contain it',
  );
}

/** The first entry that recognizes a token's issuer decides, so no other entry would ever be used. */
function assertIssuersApart(option: string, { jwt = [], authorizationServers = [] }: AuthOptions): void {
  const issuers = [jwt].flat().flatMap(({ issuer = authorizationServers }) => [...new Set([issuer].flat())]);
  const twice = issuers.find((issuer, index) => issuers.indexOf(issuer) < index);
  if (twice === undefined) return;
  check.fail(
    option,
    `must not have two entries for ${JSON.stringify(twice)}: list its audiences and types in one entry, and set the "issuer" of each entry`,
  );
}

function hasServers({ authorizationServers = [] }: AuthOptions): boolean {
  return authorizationServers.length > 0;
}

/** Rejects options that would have no effect, or could not work, without authorization servers. */
function assertNoServersNeeded(option: string, auth: AuthOptions): void {
  const isProxied = auth.authorizationServerMetadata === 'proxy';
  const needing = isProxied
    ? 'authorizationServerMetadata'
    : NEED_SERVERS.find((name) => auth[name] !== undefined);
  if (needing === undefined) return;
  check.fail(
    `${option}.authorizationServers`,
    `is required with "${needing}": set it to a value such as ["https://login.example.com"]`,
  );
}

const NEED_SERVERS = ['jwt', 'introspection', 'resourceMetadata', 'resourceMetadataUrl'] as const;

/**
 * Applies all defaults.
 *
 * The options must have passed the checks.
 *
 * @param publicUrl the endpoint URL, used if `resourceUri` is not set
 */
export function buildAuthSettings(options: AuthOptions, publicUrl?: string): AuthSettings {
  const { jwt, bearer: tokens, introspection, exchange, dpop, ...settings } = AUTH_GROUP.build(options);
  const { resourceUri: resource = publicUrl, authorizationServers } = settings;
  const context = {
    authorizationServers,
    audiences: listOf(resource),
    takesDpop: dpop !== undefined,
    insecureHosts: settings.insecureHosts,
    ignoreIssuerSlash: settings.ignoreIssuerSlash,
  };
  return {
    ...settings,
    ...(resource !== undefined && { resourceUri: resource }),
    resourceOption: options.resourceUri === undefined ? 'publicUrl' : 'auth.resourceUri',
    jwt: listOf(jwt).map((one) => buildJwtSettings(one, context)),
    bearer: listOf(tokens).map((one) => BEARER.build(typeof one === 'string' ? { token: one } : one)),
    ...(introspection && { introspection: buildIntrospectionSettings(introspection, context) }),
    ...(exchange && { exchange: buildExchangeSettings(exchange, context) }),
    ...(dpop && { dpop: buildDpopSettings(dpop) }),
  };
}
