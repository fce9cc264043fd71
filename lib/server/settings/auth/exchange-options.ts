import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import { optionGroup, type OptionGroup, type Settings } from '../../../core/checks/option-group.js';
import { findIdentityProblem } from '../../../core/oauth/token-endpoint/client-identity.js';
import { createUrlChecks, type IssuerContext, type IssuerExceptions, type UrlChecks } from './issuer-urls.js';
import { ASYMMETRIC_ALGORITHMS } from './jwt-options.js';

/**
 * Settings for exchanging callers' tokens for tokens for other services. Only tokens that `jwt` or `introspection`
 * recognizes are exchanged.
 *
 * @see RFC 8693, https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-on-behalf-of-flow
 */
export interface TokenExchangeOptions {
  /**
   * The endpoint that exchanges tokens, for tokens with any `iss`. @default `token_endpoint` from the first
   * authorization server's metadata, only for its tokens
   */
  readonly tokenEndpoint?: string;
  /**
   * The grant; `on-behalf-of` is Microsoft Entra ID's. @default 'token-exchange'
   * @see docs/identity-providers/entra.md, "On-behalf-of flow"
   */
  readonly profile?: 'token-exchange' | 'on-behalf-of';
  /** The server's client id at the authorization server. */
  readonly clientId: string;
  /** The client's secret; either this or `privateKey` is required. */
  readonly clientSecret?: string;
  /** The client's key, as PEM or JWK. Assertions are issued for the first authorization server. */
  readonly privateKey?: string | { readonly [member: string]: unknown };
  /**
   * The assertion audience. Use `token_endpoint` if the authorization server does not accept its issuer as the
   * audience. @default 'issuer'
   */
  readonly assertionAudience?: 'issuer' | 'token_endpoint';
  /** The algorithm that signs assertions. @default inferred from the key */
  readonly signingAlgorithm?: string;
  /** The key id at the authorization server. @default the JWK's `kid`, or none */
  readonly keyId?: string;
  /**
   * How the server authenticates at the token endpoint. @default `private_key_jwt` with a key; with a secret, a
   * method from the metadata, preferably Basic
   */
  readonly authenticationMethod?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  /** The maximum number of cached tokens. Tokens are cached until shortly before they expire. @default 10_000 */
  readonly cacheSize?: number;
  /** The timeout of one exchange, in milliseconds. @default 5000 */
  readonly timeoutMs?: number;
}

/** Exchange options without a fixed default. */
type OpenExchangeOption =
  'tokenEndpoint' | 'clientSecret' | 'privateKey' | 'signingAlgorithm' | 'keyId' | 'authenticationMethod';

/** The settings of token exchange. */
export interface TokenExchangeSettings
  extends IssuerExceptions, Settings<TokenExchangeOptions, OpenExchangeOption> {
  /** The issuer whose metadata names the endpoint, and the assertion audience; absent if neither is needed. */
  readonly issuer?: string;
}

const privateKey: Check = (option, value) => {
  const isKey =
    typeof value === 'string' ? value.includes('PRIVATE KEY') : typeof value === 'object' && value !== null;
  if (!isKey) check.fail(option, 'must be a private key, as PEM or JWK');
};

/** Declares the options of token exchange. */
export function declareExchange({
  secureUrl,
}: UrlChecks): OptionGroup<TokenExchangeOptions, OpenExchangeOption> {
  return optionGroup<TokenExchangeOptions, OpenExchangeOption>(
    {
      tokenEndpoint: secureUrl,
      profile: [check.oneOf('token-exchange', 'on-behalf-of'), 'token-exchange'],
      clientId: check.required(check.nonEmptyString, '"desk"'),
      clientSecret: check.nonEmptyString,
      privateKey,
      assertionAudience: [check.oneOf('issuer', 'token_endpoint'), 'issuer'],
      signingAlgorithm: check.oneOf(...ASYMMETRIC_ALGORITHMS),
      keyId: check.nonEmptyString,
      authenticationMethod: check.oneOf('client_secret_basic', 'client_secret_post', 'private_key_jwt'),
      cacheSize: [check.positive, 10_000],
      timeoutMs: [check.milliseconds, 5000],
    },
    { together: assertIdentity },
  );
}

function assertIdentity(option: string, options: TokenExchangeOptions): void {
  const found = findIdentityProblem(options);
  if (found !== undefined) check.fail(`${option}.${found.member}`, found.problem);
  if (options.clientSecret !== undefined || options.privateKey !== undefined) return;
  check.fail(
    `${option}.clientSecret`,
    'is required unless "privateKey" is set: set it to a value such as process.env.DESK_SECRET',
  );
}

const EXCHANGE = declareExchange(createUrlChecks(undefined));

/** Applies all defaults. */
export function buildExchangeSettings(
  options: TokenExchangeOptions,
  { authorizationServers: [issuer], insecureHosts, ignoreIssuerSlash }: IssuerContext,
): TokenExchangeSettings {
  return {
    ...(issuer !== undefined && { issuer }),
    ...EXCHANGE.build(options),
    insecureHosts,
    ignoreIssuerSlash,
  };
}
