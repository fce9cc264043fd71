import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import type { Rows } from '../../../core/checks/option-group.js';
import {
  type ClientIdentity,
  findIdentityProblem,
} from '../../../core/oauth/token-endpoint/client-identity.js';
import { HTTP_ROWS, type ClientHttpOptions } from '../client-http.js';
import type { DpopKey } from '../dpop.js';
import { dpop, scopes, url } from '../source-options.js';

/** Options for all token sources that need no user interaction. */
export interface GrantOptions extends Omit<ClientHttpOptions, 'serverUrl'> {
  /** The MCP server's URL. */
  readonly serverUrl: string | URL;
  /**
   * The authorization server that the credentials are intended for. No other server receives them. @default the first
   * one that the server names
   */
  readonly issuer?: string | undefined;
  /** Accepts an issuer that differs from the expected one only in a trailing slash. @default false */
  readonly ignoreIssuerSlash?: boolean | undefined;
  /**
   * Called with a warning for each safe default that you disable. @default `process.emitWarning`, once per warning
   * and process
   */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** The token endpoint. @default from the authorization server's metadata */
  readonly tokenEndpoint?: string | undefined;
  /**
   * The resource that tokens are for (RFC 8707). @default from the server's metadata; with `tokenEndpoint`, the
   * `serverUrl`
   */
  readonly resource?: string | undefined;
  /** Scopes to request, in addition to the scopes in challenges. @default the scopes in the server's metadata */
  readonly scopes?: readonly string[] | undefined;
  /** Binds tokens to a key (RFC 9449): this one, or a new one. @default only if the server's metadata requires bound tokens */
  readonly dpop?: boolean | DpopKey | undefined;
}

/** A client's identity at the authorization server. */
export type ClientOptions = ClientIdentity & { readonly clientId: string };

/** Grant options without a fixed default. */
export type OpenGrantOption =
  'fetch' | 'issuer' | 'onWarning' | 'tokenEndpoint' | 'resource' | 'scopes' | 'dpop';

export const GRANT_ROWS: Rows<GrantOptions, OpenGrantOption> = {
  ...HTTP_ROWS,
  serverUrl: check.required(url),
  issuer: check.nonEmptyString,
  ignoreIssuerSlash: [check.flag, false],
  onWarning: check.callable,
  tokenEndpoint: check.nonEmptyString,
  resource: check.nonEmptyString,
  scopes,
  dpop,
};

/** Client identity options without a fixed default. */
export type OpenIdentityOption = Exclude<keyof ClientIdentity, 'assertionAudience'>;

const key: Check = (option, value) => {
  if (typeof value === 'object' && value !== null) return;
  if (typeof value !== 'string') check.fail(option, 'must be a private key, as PEM or JWK');
};

/** These options are checked together, in `findIdentityProblem()`. */
const judgedTogether: Check = () => undefined;

export const IDENTITY_ROWS: Rows<ClientIdentity, OpenIdentityOption> = {
  clientId: check.string,
  clientSecret: check.string,
  privateKey: key,
  assertionAudience: [judgedTogether, 'issuer'],
  signingAlgorithm: check.nonEmptyString,
  keyId: check.nonEmptyString,
  authenticationMethod: judgedTogether,
};

/**
 * Rejects a client that could not authenticate.
 *
 * @throws {TypeError} that names the invalid option
 */
export function assertClient(identity: ClientIdentity, prefix = ''): void {
  const found = findIdentityProblem(identity);
  if (found !== undefined) throw new TypeError(`The "${prefix}${found.member}" ${found.problem}`);
}

/**
 * Rejects a token endpoint without its issuer, which assertions must name.
 *
 * @throws {TypeError} if it is missing
 */
export function assertIssuerKnown(options: {
  readonly tokenEndpoint?: string | undefined;
  readonly issuer?: string | undefined;
}): void {
  if (options.tokenEndpoint === undefined || options.issuer !== undefined) return;
  throw new TypeError(
    'The "issuer" is required with "tokenEndpoint": assertions must name it exactly as its metadata spells it',
  );
}
