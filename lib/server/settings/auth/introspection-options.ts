import * as check from '../../../core/checks/option-checks.js';
import { optionGroup, type OptionGroup, type Settings } from '../../../core/checks/option-group.js';
import {
  createUrlChecks,
  listOf,
  type IssuerContext,
  type IssuerExceptions,
  type UrlChecks,
} from './issuer-urls.js';
import { ID_TOKEN_CLAIMS, type IdTokenClaim } from './jwt-options.js';

/**
 * Settings for token introspection, which lets the authorization server validate tokens.
 *
 * @see RFC 7662
 */
export interface IntrospectionOptions {
  /**
   * The introspection endpoint's URL. @default `introspection_endpoint` from the first authorization server's
   * metadata
   */
  readonly endpoint?: string;
  /** The client id of the server at the authorization server. */
  readonly clientId: string;
  /** Its secret. */
  readonly clientSecret: string;
  /** How the secret is sent. @default 'client_secret_basic' */
  readonly authenticationMethod?: 'client_secret_basic' | 'client_secret_post';
  /** The accepted token audiences. A token must name one of them. @default the `resourceUri` */
  readonly audience?: string | readonly string[];
  /** ID token claims, such as `nonce`, that introspection responses for access tokens also contain. @default [] */
  readonly toleratedClaims?: readonly IdTokenClaim[];
  /** Accepts tokens without an audience in the response, even tokens for other services. @default false */
  readonly unsafeAllowMissingAudience?: boolean;
  /**
   * How long a response is cached, in milliseconds, even if the token is revoked in the meantime. 0 disables the
   * cache. @default 10_000
   */
  readonly cacheTtlMs?: number;
  /**
   * How long after `cacheTtlMs` an active token is still accepted while too many introspection requests are pending,
   * in milliseconds. It is never accepted after its `exp`, but it may have been revoked in the meantime. 0 disables
   * this.
   * @default `cacheTtlMs`, but at most 10_000
   */
  readonly graceMs?: number;
  /** The maximum number of cached responses. @default 10_000 */
  readonly cacheSize?: number;
  /** The timeout of one introspection request, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
}

/** The settings of token introspection. */
export interface IntrospectionSettings
  extends IssuerExceptions, Omit<Settings<IntrospectionOptions, 'endpoint' | 'audience'>, 'audience'> {
  /** Whether the server checks proofs for the keys to which tokens are bound. */
  readonly takesDpop: boolean;
  /** The issuer whose metadata names the endpoint, if `endpoint` is not set. */
  readonly issuer: string;
  readonly audiences: readonly string[];
}

/** Declares the options of token introspection. */
export function declareIntrospection({
  secureUrl,
}: UrlChecks): OptionGroup<IntrospectionOptions, 'endpoint' | 'audience'> {
  return optionGroup<IntrospectionOptions, 'endpoint' | 'audience'>({
    endpoint: secureUrl,
    clientId: check.required(check.nonEmptyString, '"desk"'),
    clientSecret: check.required(check.nonEmptyString, 'process.env.DESK_SECRET'),
    authenticationMethod: [check.oneOf('client_secret_basic', 'client_secret_post'), 'client_secret_basic'],
    audience: check.oneOrMore(check.nonEmptyString),
    toleratedClaims: [check.list(check.oneOf(...ID_TOKEN_CLAIMS)), []],
    unsafeAllowMissingAudience: [check.flag, false],
    cacheTtlMs: [check.notNegative, 10_000],
    graceMs: [check.notNegative, ({ cacheTtlMs }) => Math.min(cacheTtlMs, 10_000)],
    cacheSize: [check.positive, 10_000],
    timeoutMs: [check.milliseconds, 5000],
  });
}

const INTROSPECTION = declareIntrospection(createUrlChecks(undefined));

/** Applies all defaults. */
export function buildIntrospectionSettings(
  options: IntrospectionOptions,
  { authorizationServers: [issuer = ''], audiences, ...context }: IssuerContext,
): IntrospectionSettings {
  const { audience, ...settings } = INTROSPECTION.build(options);
  return {
    issuer,
    audiences: audience === undefined ? audiences : listOf(audience),
    ...settings,
    ...context,
  };
}
