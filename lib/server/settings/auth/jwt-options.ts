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

/** The accepted signature algorithms. With a symmetric algorithm, every party that can validate tokens could also forge them. */
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
 * Settings for JWTs.
 *
 * @see RFC 9068, RFC 7519, RFC 8725
 */
export interface JwtOptions {
  /** The tokens' issuer, exactly as in `iss`. @default `authorizationServers` */
  readonly issuer?: string | readonly string[];
  /** The URL of the issuer's keys. @default `jwks_uri` from the issuer's metadata */
  readonly jwksUrl?: string;
  /** The accepted token audiences. A token must name one of them. @default the `resourceUri` */
  readonly audience?: string | readonly string[];
  /** The claim that contains a token's audience. @default 'aud' */
  readonly audienceClaim?: string;
  /**
   * Accepted signature algorithms; only asymmetric ones are allowed. @default RS256 to 512, PS256 to 512, ES256 to
   * 512, EdDSA, Ed25519
   */
  readonly algorithms?: readonly string[];
  /**
   * Accepted values of the `typ` header, for issuers that do not follow RFC 9068. The header may also be absent. Many
   * issuers write `JWT`. @default ['at+jwt']
   */
  readonly types?: readonly string[];
  /**
   * ID token claims (`nonce`, `at_hash`, `c_hash`, `s_hash`) that the issuer's access tokens also have. The server
   * then also accepts ID tokens for the same audience.
   * @default []
   */
  readonly toleratedClaims?: readonly IdTokenClaim[];
  /**
   * Clients whose tokens do not require an audience. Their tokens for other resources are then accepted too. `['*']`
   * means every client that `client_id` may name. @default []
   */
  readonly clientsWithoutAudience?: readonly string[];
  /** Claims that contain scopes, in addition to `scope` and `scopes`. @default ['scp'] */
  readonly scopeClaims?: readonly string[];
  /** The scope prefix in clients' requests. Tokens may omit it. @default '' */
  readonly scopePrefix?: string;
  /** The allowed clock difference between the issuer and the server, in seconds. @default 5 */
  readonly clockToleranceSeconds?: number;
  /** How long a validated token is cached, in milliseconds, at most until it expires. 0 disables the cache. @default 60_000 */
  readonly cacheTtlMs?: number;
  /** The maximum number of cached tokens. @default 10_000 */
  readonly cacheSize?: number;
  /** Settings for fetching the issuer's keys. */
  readonly jwks?: JwksOptions;
  /** Traces requests, with `@opentelemetry/api`. @default none: nothing is traced or loaded */
  readonly tracerProvider?: TracerProvider;
  /** Traces how the issuer's keys are fetched. @default none */
  readonly jwksTracerProvider?: TracerProvider;
}

/** Settings for fetching an issuer's keys. */
export interface JwksOptions {
  /**
   * The minimum interval between two fetches, in milliseconds. A failed fetch is retried within 5 seconds.
   * @default 30_000
   */
  readonly cooldownMs?: number;
  /** The age at which keys are fetched again, in milliseconds. @default 600_000 (10 minutes) */
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

/** The settings for JWTs. */
export interface JwtSettings
  extends IssuerExceptions, Omit<Settings<JwtOptions, OpenJwtOption>, 'issuer' | 'audience' | 'jwks'> {
  /** Whether the server checks proofs of the keys that tokens are bound to. */
  readonly takesDpop: boolean;
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly jwks: Required<JwksOptions>;
}

const scopePrefix: Check = (option, value) => {
  if (value !== '' && !isScope(value)) check.fail(option, 'must be a scope prefix, such as "api://desk/"');
};

const clients: Check = (option, value) => {
  check.list(check.nonEmptyString)(option, value);
  const listed = value as readonly string[];
  if (listed.includes('*') && listed.length > 1) {
    check.fail(option, 'must be either ["*"] or a list of clients: "*" already covers every client');
  }
};

const JWKS = optionGroup<JwksOptions>({
  cooldownMs: [check.positive, 30_000],
  maxAgeMs: [check.positive, 600_000],
  maxStaleMs: [check.notNegative, 86_400_000],
  timeoutMs: [check.milliseconds, 5000],
  prefetch: [check.flag, false],
});

/** Declares the options for one kind of JWT. The allowed URLs depend on the hosts listed for plain `http`. */
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

/** Applies all defaults. */
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
