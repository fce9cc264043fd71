import type {
  AuthOptions,
  BearerOptions,
  IdTokenClaim,
  IntrospectionOptions,
  JwksOptions,
  JwtOptions,
  TokenExchangeOptions,
} from './auth-options.interface.js';
import { buildDpopSettings, type DpopSettings } from './dpop-settings.js';
import { onlyGiven } from './only-given.js';
import type { TracerProvider } from '../../core/telemetry/providers.interface.js';

/** The options of a resource server with every default filled in. */
export interface AuthSettings
  extends
    IssuerLeniency,
    Pick<
      AuthOptions,
      'resourceUri' | 'scopesSupported' | 'validator' | 'resourceMetadataUrl' | 'authorizationServerMetadata'
    > {
  /** Which option has the resource. */
  readonly resourceOption: 'publicUrl' | 'auth.resourceUri';
  readonly authorizationServers: readonly string[];
  readonly requiredScopes: readonly string[];
  readonly jwt: readonly JwtSettings[];
  readonly bearer: readonly BearerOptions[];
  readonly introspection?: IntrospectionSettings;
  readonly exchange?: TokenExchangeSettings;
  readonly dpop?: DpopSettings;
  readonly resourceMetadata: { readonly [member: string]: unknown };
  readonly filterLists: boolean;
  readonly endStreamsWithToken: boolean;
}

/** Exceptions for authorization servers that the standards do not allow. */
export interface IssuerLeniency {
  readonly insecureHosts: readonly string[];
  readonly ignoreIssuerSlash: boolean;
}

/** The settings of tokens that are JWTs. */
export interface JwtSettings extends IssuerLeniency {
  /** Whether the server checks proofs of the keys that tokens are bound to. */
  readonly takesDpop: boolean;
  readonly issuers: readonly string[];
  readonly jwksUrl?: string;
  readonly audiences: readonly string[];
  readonly audienceClaim: string;
  readonly algorithms: readonly string[];
  readonly types: readonly string[];
  readonly toleratedClaims: readonly IdTokenClaim[];
  readonly clientsWithoutAudience: readonly string[];
  readonly scopeClaims: readonly string[];
  readonly scopePrefix: string;
  readonly clockToleranceSeconds: number;
  readonly cacheTtlMs: number;
  readonly cacheSize: number;
  readonly jwks: Required<JwksOptions>;
  readonly tracerProvider?: TracerProvider;
  readonly jwksTracerProvider?: TracerProvider;
}

/** The settings of tokens that the authorization server is asked about. */
export interface IntrospectionSettings extends IssuerLeniency {
  /** The same as for JWTs. */
  readonly takesDpop: boolean;
  readonly endpoint?: string;
  /** Whose metadata names the endpoint if it is not given. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authenticationMethod: 'client_secret_basic' | 'client_secret_post';
  readonly audiences: readonly string[];
  readonly toleratedClaims: readonly IdTokenClaim[];
  readonly unsafeAllowMissingAudience: boolean;
  readonly cacheTtlMs: number;
  readonly graceMs: number;
  readonly cacheSize: number;
  readonly timeoutMs: number;
}

/** The settings of how callers' tokens are exchanged. */
export interface TokenExchangeSettings extends TokenExchangeOptions, IssuerLeniency {
  /** The issuer whose metadata names the endpoint, and the audience of assertions; absent if neither is needed. */
  readonly issuer?: string;
  readonly profile: NonNullable<TokenExchangeOptions['profile']>;
  readonly assertionAudience: NonNullable<TokenExchangeOptions['assertionAudience']>;
  readonly cacheSize: number;
  readonly timeoutMs: number;
}

/** The accepted signature algorithms. With a symmetric one, anyone who can check a token could make one. */
export const ASYMMETRIC_ALGORITHMS: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** By these claims ID tokens are known. */
export const ID_TOKEN_CLAIMS: readonly IdTokenClaim[] = ['nonce', 'at_hash', 'c_hash', 's_hash'];

/**
 * Fills every default in.
 *
 * The options are expected to have passed {@link assertAuthOptions}.
 *
 * @param publicUrl the URL of the endpoint if `resourceUri` is not given
 */
export function buildAuthSettings(options: AuthOptions, publicUrl?: string): AuthSettings {
  const { authorizationServers = [], bearer, introspection, resourceUri = publicUrl } = options;
  const { insecureHosts = [], ignoreIssuerSlash = false } = options;
  const audiences = resourceUri === undefined ? [] : [resourceUri];
  const takesDpop = options.dpop !== undefined;
  const leniency = { insecureHosts, ignoreIssuerSlash };
  const defaults = { authorizationServers, audiences, ...leniency };
  return {
    ...onlyGiven({
      resourceUri,
      scopesSupported: options.scopesSupported,
      validator: options.validator,
      resourceMetadataUrl: options.resourceMetadataUrl,
      authorizationServerMetadata: options.authorizationServerMetadata,
    }),
    resourceOption: options.resourceUri === undefined ? 'publicUrl' : 'auth.resourceUri',
    authorizationServers,
    requiredScopes: options.requiredScopes ?? [],
    jwt: listOf(options.jwt).map((jwt) => ({ ...buildJwtSettings(jwt, defaults), takesDpop })),
    bearer: listOf(bearer).map(buildBearerSettings),
    ...(introspection && {
      introspection: { ...buildIntrospectionSettings(introspection, defaults), takesDpop },
    }),
    ...(options.exchange && { exchange: buildExchangeSettings(options.exchange, defaults) }),
    ...(options.dpop && { dpop: buildDpopSettings(options.dpop) }),
    resourceMetadata: options.resourceMetadata ?? {},
    filterLists: options.filterLists ?? false,
    ...leniency,
    endStreamsWithToken: options.endStreamsWithToken ?? false,
  };
}

interface Defaults extends IssuerLeniency {
  readonly authorizationServers: readonly string[];
  readonly audiences: readonly string[];
}

function buildJwtSettings(
  { issuer, audience, jwks, ...options }: JwtOptions,
  { authorizationServers, audiences, ...leniency }: Defaults,
): Omit<JwtSettings, 'takesDpop'> {
  return {
    issuers: issuer === undefined ? authorizationServers : listOf(issuer),
    audiences: audience === undefined ? audiences : listOf(audience),
    audienceClaim: 'aud',
    algorithms: ASYMMETRIC_ALGORITHMS,
    types: ['at+jwt'],
    toleratedClaims: [],
    clientsWithoutAudience: [],
    scopeClaims: ['scp'],
    scopePrefix: '',
    clockToleranceSeconds: 5,
    cacheTtlMs: 60_000,
    cacheSize: 10_000,
    ...onlyGiven(options),
    jwks: {
      cooldownMs: 30_000,
      maximumAgeMs: 600_000,
      maximumStaleMs: 86_400_000,
      timeoutMs: 5000,
      prefetch: false,
      ...onlyGiven(jwks),
    },
    ...leniency,
  };
}

function buildBearerSettings(given: string | BearerOptions): BearerOptions {
  const { token, ...options } = typeof given === 'string' ? { token: given } : given;
  return { token, scopes: [], ...onlyGiven(options) };
}

function buildIntrospectionSettings(
  { audience, ...options }: IntrospectionOptions,
  { authorizationServers: [issuer = ''], audiences, ...leniency }: Defaults,
): Omit<IntrospectionSettings, 'takesDpop'> {
  return {
    issuer,
    audiences: audience === undefined ? audiences : listOf(audience),
    authenticationMethod: 'client_secret_basic',
    toleratedClaims: [],
    unsafeAllowMissingAudience: false,
    cacheTtlMs: 10_000,
    graceMs: Math.min(options.cacheTtlMs ?? 10_000, 10_000),
    cacheSize: 10_000,
    timeoutMs: 5000,
    ...onlyGiven(options),
    clientId: options.clientId,
    clientSecret: options.clientSecret,
    ...leniency,
  };
}

function buildExchangeSettings(
  options: TokenExchangeOptions,
  { authorizationServers: [issuer], audiences: _audiences, ...leniency }: Defaults,
): TokenExchangeSettings {
  return {
    profile: 'token-exchange',
    assertionAudience: 'issuer',
    cacheSize: 10_000,
    timeoutMs: 5000,
    ...onlyGiven({ issuer }),
    ...onlyGiven(options),
    clientId: options.clientId,
    ...leniency,
  };
}

function listOf<Item>(value: Item | readonly Item[] | undefined): readonly Item[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Item[]) : [value as Item];
}
