import type { GivenClaims } from '../../core/oauth/claims.js';
import type { TracerProvider } from '../../core/telemetry/providers.interface.js';

/**
 * Makes the server an OAuth 2.1 resource server. Every request must have a token that one of the validators accepts.
 *
 * You can combine validators. The order is `bearer`, `jwt`, `validator`, `introspection`, so that the network comes
 * last. The first validator that recognises a token decides.
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
  /** The audience of tokens, if it is a URL above the server's `publicUrl`, such as the whole origin. @default `publicUrl` */
  readonly resourceUri?: string;
  /** The issuers of tokens, exactly as in the claim `iss`; required with `jwt` and `introspection`. @default none: no metadata is served */
  readonly authorizationServers?: readonly string[];
  /** Scopes that the metadata shows. @default `requiredScopes` and those of `@RequireScope()` */
  readonly scopesSupported?: readonly string[];
  /** Scopes that every token must have. If one is missing, the answer is 403. @default [] */
  readonly requiredScopes?: readonly string[];
  /** Validates JWTs. Give an array if issuers need different settings. */
  readonly jwt?: JwtOptions | readonly JwtOptions[];
  /** Fixed tokens, for services that know each other. Each is the token itself, or the token with its subject and scopes. */
  readonly bearer?: string | BearerOptions | readonly (string | BearerOptions)[];
  /** Validates opaque tokens by asking the authorization server (RFC 7662). */
  readonly introspection?: IntrospectionOptions;
  /** Lets tools exchange callers' tokens for those of other services (RFC 8693, or on-behalf-of). @default no token is exchanged */
  readonly exchange?: TokenExchangeOptions;
  /** Your own validator: the class of a provider, or an instance. */
  readonly validator?: TokenValidator | ValidatorClass;
  /**
   * Accepts tokens that are bound to a key of the client, with a proof of that key in each request (RFC 9449).
   * `allowed` accepts bearer tokens too. `required` refuses them.
   * @default bound tokens are refused
   */
  readonly dpop?: DpopOptions['mode'] | DpopOptions;
  /** Further members of the metadata, such as `resource_name` (RFC 9728 §2). @default none */
  readonly resourceMetadata?: { readonly [member: string]: unknown };
  /** The URL of the metadata that challenges name. @default by RFC 9728 §3.1, from `resourceUri` */
  readonly resourceMetadataUrl?: string;
  /** Serves the authorization server's metadata too, for clients that look for it here. `proxy` fetches it from the first server. @default not served */
  readonly authorizationServerMetadata?: 'proxy' | { readonly [member: string]: unknown };
  /** Hides entries from lists if the caller's scopes do not allow them. @default false */
  readonly filterLists?: boolean;
  /**
   * Hosts of authorization servers that may be called by plain `http`, such as `keycloak` in a network of containers.
   * Anyone on the network path can read secrets and supply false keys.
   * @default []
   */
  readonly insecureHosts?: readonly string[];
  /** Ignores one slash at the end of an issuer, in metadata and in tokens. @default false */
  readonly ignoreIssuerSlash?: boolean;
  /** Ends an event stream when its token expires. A webhook ends with the token that last refreshed it. @default false */
  readonly endStreamsWithToken?: boolean;
}

/**
 * Settings of tokens that are bound to a key of the client.
 *
 * @example
 * auth: { authorizationServers, jwt: {}, dpop: { mode: 'required', nonce: true } }
 *
 * @see RFC 9449, SEP-1932
 */
export interface DpopOptions {
  /** Whether tokens that are not bound to a key are accepted (`allowed`) or refused (`required`). */
  readonly mode: 'allowed' | 'required';
  /** Accepted algorithms of proofs: asymmetric ones only. @default ES256, ES384, ES512, EdDSA, Ed25519, PS256, RS256 */
  readonly algorithms?: readonly string[];
  /** Seconds by which the time of a proof may differ from the server's, in both directions; 300 at most. @default 300 */
  readonly windowSeconds?: number;
  /**
   * Whether proofs need a nonce of the server, so that nobody can prepare proofs in advance. A client must then send
   * its first request twice.
   * @default false
   */
  readonly nonce?: boolean;
  /** The most seconds for which a nonce is valid. It is valid for at least half of them. @default 300 */
  readonly nonceLifetimeSeconds?: number;
}

/** A claim that only ID tokens should have (OpenID Connect Core 1.0 §2, §3.3.2.11). */
export type IdTokenClaim = 'nonce' | 'at_hash' | 'c_hash' | 's_hash';

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
  /** Accepted values of the header `typ`, for issuers that do not follow RFC 9068. The header may also be absent. @default ['at+jwt'] */
  readonly types?: readonly string[];
  /**
   * Claims of ID tokens, such as `nonce`, that the issuer's access tokens also have. The server then also accepts ID
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
  /** Seconds by which the clocks of issuer and server may differ. @default 5 */
  readonly clockToleranceSeconds?: number;
  /** Milliseconds for which a validated token is cached. 0 turns the cache off. @default 60_000 */
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
  readonly maximumAgeMs?: number;
  /** Milliseconds for which known keys are used while the issuer is out of reach. @default 86_400_000 (24 hours) */
  readonly maximumStaleMs?: number;
  /** Milliseconds that one fetch may take. @default 5000 */
  readonly timeoutMs?: number;
  /** Whether keys are fetched when the application starts, instead of when the first token needs them. @default false */
  readonly prefetch?: boolean;
}

/** A fixed token. */
export interface BearerOptions {
  /** The token, of at least 16 characters. Read it from the environment. */
  readonly token: string;
  /** The subject of the token. @default nobody in particular */
  readonly subject?: string;
  /** The scopes of the token. @default [] */
  readonly scopes?: readonly string[];
}

/**
 * Settings for tokens that the authorization server checks.
 *
 * @see RFC 7662
 */
export interface IntrospectionOptions {
  /** The URL of the introspection endpoint. @default `introspection_endpoint` of the first authorization server's metadata */
  readonly endpoint?: string;
  /** The client id of the server at the authorization server. */
  readonly clientId: string;
  /** Its secret. */
  readonly clientSecret: string;
  /** How the secret is sent. @default 'client_secret_basic' */
  readonly authenticationMethod?: 'client_secret_basic' | 'client_secret_post';
  /** The accepted audiences of tokens. A token must name one of them. @default the `resourceUri` */
  readonly audience?: string | readonly string[];
  /** Claims of ID tokens, such as `nonce`, that answers for access tokens also have. @default [] */
  readonly toleratedClaims?: readonly IdTokenClaim[];
  /** Accepts tokens without an audience in the answer, even those for other services. @default false */
  readonly unsafeAllowMissingAudience?: boolean;
  /** Milliseconds for which an answer is cached, even if the token is revoked meanwhile. 0 asks every time. @default 10_000 */
  readonly cacheTtlMs?: number;
  /**
   * Milliseconds after `cacheTtlMs` for which an active token is still accepted while too many questions are under way.
   * It is never accepted after its `exp`, but it may have been revoked meanwhile. 0 turns this off.
   * @default `cacheTtlMs`, 10_000 at most
   */
  readonly graceMs?: number;
  /** The most answers in the cache. @default 10_000 */
  readonly cacheSize?: number;
  /** Milliseconds that one question may take. @default 5000 */
  readonly timeoutMs?: number;
}

/**
 * Settings for exchanging callers' tokens for those of other services. Only tokens that `jwt` or `introspection`
 * recognises are exchanged.
 *
 * @see RFC 8693, https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-on-behalf-of-flow
 */
export interface TokenExchangeOptions {
  /** The endpoint that exchanges tokens of any `iss`. @default `token_endpoint` of the first authorization server's metadata, and for its tokens alone */
  readonly tokenEndpoint?: string;
  /** The grant; `on-behalf-of` is the one of Microsoft Entra ID. @default 'token-exchange' */
  readonly profile?: 'token-exchange' | 'on-behalf-of';
  /** The client id of the server at the authorization server. */
  readonly clientId: string;
  /** The secret of the client; either this or `privateKey` is required. */
  readonly clientSecret?: string;
  /** The key of the client, as PEM or JWK. Assertions are for the first authorization server. */
  readonly privateKey?: string | { readonly [member: string]: unknown };
  /** The audience of assertions. Use `token_endpoint` if the authorization server does not accept its issuer as the audience. @default 'issuer' */
  readonly assertionAudience?: 'issuer' | 'token_endpoint';
  /** The algorithm that assertions are signed by. @default by the key */
  readonly signingAlgorithm?: string;
  /** The id of the key at the authorization server. @default `kid` of a JWK, else none */
  readonly keyId?: string;
  /** How the server authenticates at the token endpoint. @default with a key `private_key_jwt`, with a secret what the metadata lists, Basic first */
  readonly authenticationMethod?: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  /** The most tokens in the cache. They are cached until shortly before they expire. @default 10_000 */
  readonly cacheSize?: number;
  /** Milliseconds that one exchange may take. @default 5000 */
  readonly timeoutMs?: number;
}

/**
 * Validates tokens of your own kind.
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
   * Returns the claims of a token, or `undefined` if it does not recognise the token.
   *
   * @throws {InvalidTokenError} if it recognises the token, but the token is not valid
   * @throws {AuthUnavailableError} if it cannot check the token at the moment
   */
  validate(token: string): GivenClaims | undefined | Promise<GivenClaims | undefined>;
}

/** A validator as a class that the application provides. */
export type ValidatorClass = new (...dependencies: never[]) => TokenValidator;
