import type { JwtOptions } from '../../settings/auth/jwt-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { onlyGiven } from '../../settings/only-given.js';
import { assertIdentifier, type PresetOptions } from './preset.js';

/** A user pool of Amazon Cognito. */
export interface CognitoOptions extends PresetOptions {
  /** The ID of the pool. It begins with the region: `eu-central-1_AbCdEfGhI`. */
  readonly userPoolId: string;
  /** The app clients whose tokens need no `aud`, so tokens for other APIs of the pool are accepted too. @default tokens must have `aud` */
  readonly clientIds?: readonly string[];
  /** The identifier of the resource server in the pool, which Cognito puts before each of its scopes. @default scopes have nothing before them */
  readonly resourceServer?: string;
}

/**
 * Returns the settings of the access tokens of a Cognito user pool.
 *
 * - `issuer` is `https://cognito-idp.<region>.amazonaws.com/<userPoolId>`.
 * - Cognito writes `aud` only if the client asked for the token with `resource`. So `clientsWithoutAudience` has the
 *   `clientIds`.
 * - `scopePrefix` is `<resourceServer>/`: clients ask for `https://desk.example.com/mcp/desk:read`, tokens have the
 *   same text, and handlers require `desk:read`.
 * - `types` stays as it is: the header has no `typ`.
 *
 * ID tokens have the client ID in `aud` and no `client_id`, and say `token_use: "id"`: they are refused in both ways.
 *
 * @throws {McpConfigurationError} if the ID does not belong to a user pool, or no client is named
 * @example
 * jwt: idp.cognito({ userPoolId: 'eu-central-1_AbCdEfGhI', resourceServer: 'https://desk.example.com/mcp' }),
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
export function cognito({ userPoolId, clientIds, resourceServer, ...given }: CognitoOptions): JwtOptions {
  assertIdentifier('idp.cognito.userPoolId', userPoolId, POOL);
  if (clientIds?.length === 0) {
    throw new McpConfigurationError('idp.cognito.clientIds', 'must name an app client, or be left out');
  }
  const region = userPoolId.slice(0, userPoolId.indexOf('_'));
  const issuer = `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`;
  return {
    issuer,
    jwksUrl: `${issuer}/.well-known/jwks.json`,
    scopeClaims: [],
    ...(clientIds && { clientsWithoutAudience: clientIds }),
    ...(resourceServer !== undefined && { scopePrefix: `${resourceServer}/` }),
    ...onlyGiven(given),
  };
}

const POOL = {
  pattern: /^[a-z]{2}(?:-[a-z]+)+-\d+_[0-9A-Za-z]+$/,
  expected: 'must be the ID of a user pool, such as "eu-central-1_AbCdEfGhI"',
};
