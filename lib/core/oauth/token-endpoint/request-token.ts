import * as oauth from 'oauth4webapi';
import { authenticateClient } from './authenticate-client.js';
import type { ClientIdentity } from './client-identity.js';
import { hideSecrets } from './hide-secrets.js';
import { parseTokenAnswer, type TokenAnswer } from './parse-token-answer.js';
import type { TokenSend, TokenSendRequest } from './token-send.interface.js';

export type { TokenAnswer } from './parse-token-answer.js';

/** Where tokens are asked for. */
export interface TokenServer {
  /** Who an assertion of the client is for. */
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined;
}

/** What is asked of a token endpoint. */
export interface TokenRequest {
  readonly server: TokenServer;
  readonly client: ClientIdentity;
  readonly grantType: string;
  /** The parameters of the grant; what is `undefined` or empty is left out, and each member of an array is sent by itself. */
  readonly parameters: { readonly [name: string]: string | readonly string[] | undefined };
  readonly send: TokenSend;
}

/** Stands for a client without a name, which is not sent. */
const UNNAMED: oauth.Client = { client_id: 'unnamed' };

/**
 * Asks a token endpoint for a token.
 *
 * @throws {TokenEndpointError} if it gives none
 * @throws {TypeError} if the client's key cannot sign
 * @see RFC 6749 §4.5, §5
 */
export async function requestToken(request: TokenRequest): Promise<TokenAnswer> {
  const { server, client, grantType, send } = request;
  const as = { issuer: server.issuer, token_endpoint: server.token_endpoint };
  const authenticate = await authenticateClient(client, {
    endpoint: server.token_endpoint,
    supported: server.token_endpoint_auth_methods_supported,
  });
  const given = Object.entries(request.parameters).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => (one === '' ? [] : [[name, one]])),
  );
  const sent: TokenSendRequest[] = [];
  const response = await oauth.genericTokenEndpointRequest(
    as,
    client.clientId === undefined ? UNNAMED : { client_id: client.clientId },
    authenticate,
    grantType,
    given,
    // The sender refuses an insecure URL.
    { [oauth.customFetch]: record(send, sent), [oauth.allowInsecureRequests]: true },
  );
  const hide = (text: string) => sent.reduce((hidden, one) => hideSecrets(hidden, client, one), text);
  return parseTokenAnswer(response, hide);
}

/** What a client shows for itself is made while it is sent. */
function record(send: TokenSend, sent: TokenSendRequest[]): TokenSend {
  return (url, request) => {
    sent.push(request);
    return send(url, request);
  };
}
