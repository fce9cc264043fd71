import type { ClientIdentity } from '../../../core/oauth/token-endpoint/client-identity.js';
import {
  requestToken,
  type TokenRequest,
  type TokenResponse,
} from '../../../core/oauth/token-endpoint/request-token.js';
import { TokenEndpointError } from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import { createProvingHttp, type DpopProof } from '../dpop.js';
import { NoAuthorizationServerError, TokenRequestRefusedError } from '../errors.js';
import type { GrantTarget } from './grant-target.js';

/** A JWT that identifies the token's subject (RFC 7523 §2.1). */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** An exchange of one token for another (RFC 8693 §2.1). */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** An identity assertion for another domain's authorization server. */
export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/** An OpenID Connect ID token (RFC 8693 §3). */
export const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

/** A token request. */
interface GrantRequest {
  readonly target: Pick<GrantTarget, 'server' | 'http' | 'isAssumed'>;
  readonly client: ClientIdentity;
  readonly grantType: string;
  /** Builds each attempt's parameters, because assertions are used only once. */
  readonly buildParameters: () => Promise<TokenRequest['parameters']>;
  /** The key that the token is bound to. */
  readonly proof?: DpopProof | undefined;
}

/**
 * Requests a token, with one retry if the endpoint requires a nonce in the proof.
 *
 * @throws {NoAuthorizationServerError} if the endpoint was assumed and does not exist
 * @throws {TokenRequestRefusedError} if the endpoint refuses to issue one
 */
export async function requestGrant(request: GrantRequest): Promise<TokenResponse> {
  try {
    return await send(request);
  } catch (error) {
    if (request.proof === undefined || !isDemandForNonce(error)) throw explain(request, error);
  }
  try {
    return await send(request);
  } catch (error) {
    throw explain(request, error);
  }
}

async function send({
  target,
  client,
  grantType,
  buildParameters,
  proof,
}: GrantRequest): Promise<TokenResponse> {
  const { server, http } = target;
  const sending = proof === undefined ? http : createProvingHttp(http, proof);
  return requestToken({ server, client, grantType, parameters: await buildParameters(), send: sending });
}

function isDemandForNonce(error: unknown): boolean {
  return error instanceof TokenEndpointError && error.error === 'use_dpop_nonce';
}

function explain({ target, client }: GrantRequest, error: unknown): unknown {
  if (!(error instanceof TokenEndpointError)) return error;
  const { status, error: reason, description } = error;
  const { token_endpoint: tokenEndpoint, issuer } = target.server;
  const isForIssuer = client.privateKey !== undefined && client.assertionAudience !== 'token_endpoint';
  if (target.isAssumed === true && status === 404)
    return new NoAuthorizationServerError(issuer, { cause: error });
  return new TokenRequestRefusedError(
    { tokenEndpoint, status, error: reason, description, isForIssuer },
    { cause: error },
  );
}

/** A token's issuer, and the key that it should be bound to. */
interface TokenOrigin {
  readonly tokenEndpoint: string;
  /** Proves possession of the key; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/**
 * Rejects a token that cannot be sent, because its key is missing or its type is unknown.
 *
 * @throws {TokenRequestRefusedError} as if no token had been issued
 */
export function assertSendable({ tokenType }: TokenResponse, { tokenEndpoint, proof }: TokenOrigin): void {
  if (tokenType === 'bearer' || (tokenType === 'dpop' && proof !== undefined)) return;
  const description =
    tokenType === 'dpop' ? 'the token is bound to a key: set "dpop"' : `"token_type" is ${tokenType}`;
  throw new TokenRequestRefusedError({ tokenEndpoint, status: 200, error: 'invalid_response', description });
}
