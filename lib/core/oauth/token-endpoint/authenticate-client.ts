import * as oauth from 'oauth4webapi';
import { formatBasicCredentials } from './basic-credentials.js';
import { selectAuthenticationMethod, type ClientIdentity } from './client-identity.js';
import { importSigningKey } from './signing-key.js';

/** The endpoint at which a client authenticates. */
export interface AuthenticatedEndpoint {
  readonly endpoint: string;
  readonly supported: readonly string[] | undefined;
}

/**
 * Creates the function that adds a client's authentication to a request.
 *
 * @param endpoint the endpoint, with the methods that it lists
 * @throws {TypeError} if the client's key cannot sign
 * @see RFC 6749 §2.3, RFC 7523 §2.2
 */
export async function authenticateClient(
  client: ClientIdentity,
  { endpoint, supported }: AuthenticatedEndpoint,
): Promise<oauth.ClientAuth> {
  const method = selectAuthenticationMethod(client, supported);
  const { clientId, clientSecret = '' } = client;
  if (method === 'client_secret_basic') return authenticateByHeader(clientSecret);
  if (method === 'client_secret_post') return oauth.ClientSecretPost(clientSecret);
  // An assertion may suffice without any client authentication.
  if (method === 'none') return clientId === undefined ? () => undefined : oauth.None();
  const { key, algorithm, keyId: kid } = await importSigningKey(client);
  return oauth.PrivateKeyJwt(kid === undefined ? { key } : { key, kid }, {
    [oauth.modifyAssertion]: (header, payload) => {
      header['alg'] = algorithm;
      if (client.assertionAudience === 'token_endpoint') payload['aud'] = endpoint;
    },
  });
}

function authenticateByHeader(clientSecret: string): oauth.ClientAuth {
  return (_server, { client_id: clientId }, _body, headers) => {
    headers.set('authorization', formatBasicCredentials(clientId, clientSecret));
  };
}
