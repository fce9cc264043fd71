import * as oauth from 'oauth4webapi';
import { authenticateClient } from './authenticate-client.js';
import type { ClientIdentity } from './client-identity.js';
import { redactSecrets } from './hide-secrets.js';
import { parseTokenResponse, type TokenResponse } from './parse-token-answer.js';
import type { TokenSend, TokenSendRequest } from './token-send.interface.js';

export type { TokenResponse } from './parse-token-answer.js';

/** The server of a token endpoint. */
export interface TokenServer {
  /** The audience of a client assertion. */
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined;
}

/** A request to a token endpoint. */
export interface TokenRequest {
  readonly server: TokenServer;
  readonly client: ClientIdentity;
  readonly grantType: string;
  /** The parameters of the grant. Empty and `undefined` ones are left out; items of an array are sent separately. */
  readonly parameters: { readonly [name: string]: string | readonly string[] | undefined };
  readonly send: TokenSend;
}

/** Stands for a client without an ID, which is not sent. */
const UNNAMED: oauth.Client = { client_id: 'unnamed' };

/**
 * Requests a token from a token endpoint.
 *
 * @throws {TokenEndpointError} if it issues none
 * @throws {TypeError} if the client's key cannot sign
 * @see RFC 6749 §4.5, §5
 */
export async function requestToken(request: TokenRequest): Promise<TokenResponse> {
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
  const hide = (text: string) => sent.reduce((hidden, one) => redactSecrets(hidden, client, one), text);
  return parseTokenResponse(response, hide);
}

/** The client's authentication is created only when the request is sent. */
function record(send: TokenSend, sent: TokenSendRequest[]): TokenSend {
  return (url, request) => {
    sent.push(request);
    return send(url, request);
  };
}
