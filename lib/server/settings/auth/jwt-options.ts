import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import { optionGroup, type OptionGroup, type Settings } from '../../../core/checks/option-group.js';
import { isScope } from '../../../core/oauth/scope.js';
import { tracerProvider, type TracerProvider } from '../../../core/telemetry/telemetry-options.js';
import {
  createUrlChecks,
  listOf,
  type IssuerContext,
  type IssuerExceptions,
  type UrlChecks,
} from './issuer-urls.js';

/** A claim that only ID tokens should have (OpenID Connect Core 1.0 §2, §3.3.2.11). */
export type IdTokenClaim = 'nonce' | 'at_hash' | 'c_hash' | 's_hash';

/** The claims that identify ID tokens. */
export const ID_TOKEN_CLAIMS: readonly IdTokenClaim[] = ['nonce', 'at_hash', 'c_hash', 's_hash'];

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

/**
 * Settings of tokens that are JWTs.
 *
 * @see RFC 9068, RFC 7519, RFC 8725
 */
export interface JwtOptions {
  /** The issuer of the tokens, exactly as in `iss`. @default `authorizationServers` */
  readonly issuer?: string | readonly string[];
  /** The URL of the issuer's keys. @default `jwks_uri` of the issuer's metadata */
  readonly jwksUrl?: string;
  /** The accepted audiences of tokens. A token must name one of them. @default the `resourceUri` */
  readonly audience?: string | readonly string[];
  /** The claim that holds the audience of a token. @default 'aud' */
  readonly audienceClaim?: string;
  /** Accepted signature algorithms: asymmetric ones only. @default RS256 to 512, PS256 to 512, ES256 to 512, EdDSA, Ed25519 */
  readonly algorithms?: readonly string[];
  /** Accepted values of the header `typ`, for issuers that do not follow RFC 9068. The header may also be absent. Many issuers write `JWT`. @default ['at+jwt'] */
  readonly types?: readonly string[];
  /**
   * Claims of ID tokens (`nonce`, `at_hash`, `c_hash`, `s_hash`) that the issuer's access tokens also have. The server then also accepts ID
   * tokens for the same audience.
   * @default []
   */
  readonly toleratedClaims?: readonly IdTokenClaim[];
  /** Clients whose tokens need no audience. Their tokens for other resources are then accepted too. `['*']` means every client in `client_id`. @default [] */
  readonly clientsWithoutAudience?: readonly string[];
  /** Claims that hold scopes, in addition to `scope` and `scopes`. @default ['scp'] */
  readonly scopeClaims?: readonly string[];
  /** The prefix that clients put before each scope. Tokens may leave it out. @default '' */
  readonly scopePrefix?: string;
  /** The allowed clock difference between issuer and server, in seconds. @default 5 */
  readonly clockToleranceSeconds?: number;
  /** Milliseconds for which a validated token is cached, at most until it expires. 0 turns the cache off. @default 60_000 */
  readonly cacheTtlMs?: number;
  /** The most validated tokens in the cache. @default 10_000 */
  readonly cacheSize?: number;
  /** Settings for fetching the issuer's keys. */
  readonly jwks?: JwksOptions;
  /** Traces requests, with `@opentelemetry/api`. @default none: nothing is traced or loaded */
  readonly tracerProvider?: TracerProvider;
  /** Traces the fetching of the issuer's keys. @default none */
  readonly jwksTracerProvider?: TracerProvider;
}

/** Settings for fetching an issuer's keys. */
export interface JwksOptions {
  /** The fewest milliseconds between two fetches. A failed fetch is repeated within 5 seconds. @default 30_000 */
  readonly cooldownMs?: number;
  /** Milliseconds after which keys are fetched again. @default 600_000 (10 minutes) */
  readonly maxAgeMs?: number;
  /** How long cached keys remain valid while the issuer is unavailable, in milliseconds. @default 86_400_000 (24 hours) */
  readonly maxStaleMs?: number;
  /** The timeout of one fetch, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
  /** Whether keys are fetched when the application starts, instead of when the first token needs them. @default false */
  readonly prefetch?: boolean;
}

/** Token options without a fixed default. */
type OpenJwtOption = 'issuer' | 'jwksUrl' | 'audience' | 'tracerProvider' | 'jwksTracerProvider';

/** The settings of tokens that are JWTs. */
export interface JwtSettings
  extends IssuerExceptions, Omit<Settings<JwtOptions, OpenJwtOption>, 'issuer' | 'audience' | 'jwks'> {
  /** Whether the server checks proofs of the keys that tokens are bound to. */
  readonly takesDpop: boolean;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly jwks: Required<JwksOptions>;
}

const scopePrefix: Check = (option, value) => {
  if (value !== '' && !isScope(value))
    check.fail(option, 'must be a prefix of scopes, such as "api://desk/"');
};

const clients: Check = (option, value) => {
  check.list(check.nonEmptyString)(option, value);
  const listed = value as readonly string[];
  if (listed.includes('*') && listed.length > 1) {
    check.fail(option, 'must be ["*"] or name clients: with "*" no other counts');
  }
};

const JWKS = optionGroup<JwksOptions>({
  cooldownMs: [check.positive, 30_000],
  maxAgeMs: [check.positive, 600_000],
  maxStaleMs: [check.notNegative, 86_400_000],
  timeoutMs: [check.milliseconds, 5000],
  prefetch: [check.flag, false],
});

/** Declares the options of one kind of JWTs. Which URLs are allowed depends on the hosts that are named for plain `http`. */
export function declareJwt({ secureUrl, issuerUrl }: UrlChecks): OptionGroup<JwtOptions, OpenJwtOption> {
  return optionGroup<JwtOptions, OpenJwtOption>(
    {
      issuer: check.oneOrMore(check.nonEmptyString),
      jwksUrl: secureUrl,
      audience: check.oneOrMore(check.nonEmptyString),
      audienceClaim: [check.nonEmptyString, 'aud'],
      algorithms: [check.nonEmptyList(check.oneOf(...ASYMMETRIC_ALGORITHMS)), ASYMMETRIC_ALGORITHMS],
      types: [check.list(check.nonEmptyString), ['at+jwt']],
      toleratedClaims: [check.list(check.oneOf(...ID_TOKEN_CLAIMS)), []],
      clientsWithoutAudience: [clients, []],
      scopeClaims: [check.list(check.nonEmptyString), ['scp']],
      scopePrefix: [scopePrefix, ''],
      clockToleranceSeconds: [check.notNegative, 5],
      cacheTtlMs: [check.notNegative, 60_000],
      cacheSize: [check.positive, 10_000],
      jwks: [JWKS, {}],
      tracerProvider,
      jwksTracerProvider: tracerProvider,
    },
    {
      together: (option, { issuer, jwksUrl }) => {
        if (issuer === undefined || jwksUrl !== undefined) return;
        check.oneOrMore(issuerUrl)(`${option}.issuer`, issuer);
      },
    },
  );
}

const JWT = declareJwt(createUrlChecks(undefined));

/** Fills every default in. */
export function buildJwtSettings(
  options: JwtOptions,
  { authorizationServers, audiences, ...context }: IssuerContext,
): JwtSettings {
  const { issuer, audience, jwks, ...settings } = JWT.build(options);
  return {
    issuers: issuer === undefined ? authorizationServers : listOf(issuer),
    audiences: audience === undefined ? audiences : listOf(audience),
    ...settings,
    jwks: JWKS.build(jwks),
    ...context,
  };
}
