import {
  ClientCredentialsTokenSource,
  discoverMcpAuth,
  EnterpriseManagedTokenSource,
  MemoryCredentialStore,
  OAuthTokenSource,
  WorkloadIdentityTokenSource,
  type TokenSource,
} from 'nestjs-mcp/client';
import { RedirectedAuthorizer } from './redirected-authorizer.js';
import type { Setup } from './setup.interface.js';

/** The suite takes this for the client's metadata document, and asks nobody for it. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';

const PREFIX = 'auth/';

/** Gives who gets the tokens of a scenario; nothing where it is about none. */
export async function findTokenSource(setup: Setup): Promise<TokenSource | undefined> {
  if (!setup.name.startsWith(PREFIX)) return undefined;
  const create = SOURCES[setup.name.slice(PREFIX.length)];
  return create === undefined ? login(setup) : create(setup);
}

const SOURCES: { readonly [scenario: string]: (setup: Setup) => TokenSource | Promise<TokenSource> } = {
  'client-credentials-basic': ({ serverUrl, context }) =>
    new ClientCredentialsTokenSource({
      serverUrl,
      clientId: text(context, 'client_id'),
      clientSecret: text(context, 'client_secret'),
    }),
  'client-credentials-jwt': ({ serverUrl, context }) =>
    new ClientCredentialsTokenSource({
      serverUrl,
      clientId: text(context, 'client_id'),
      privateKey: text(context, 'private_key_pem'),
      signingAlgorithm: text(context, 'signing_algorithm'),
    }),
  'enterprise-managed-authorization': ({ serverUrl, context }) =>
    new EnterpriseManagedTokenSource({
      serverUrl,
      clientId: text(context, 'client_id'),
      clientSecret: text(context, 'client_secret'),
      identityProvider: {
        issuer: text(context, 'idp_issuer'),
        tokenEndpoint: text(context, 'idp_token_endpoint'),
        clientId: text(context, 'idp_client_id'),
      },
      subjectToken: text(context, 'idp_id_token'),
    }),
  'wif-jwt-bearer': ({ serverUrl, context }) =>
    new WorkloadIdentityTokenSource({
      serverUrl,
      clientId: text(context, 'client_id'),
      assertion: text(context, 'valid_jwt'),
    }),
  'basic-cimd': loginAtFirstIssuer,
  'pre-registration': loginAtFirstIssuer,
  dpop: (setup) => login(setup, { dpop: true }),
  'dpop-nonce': (setup) => login(setup, { dpop: true }),
};

/** Logs a person in at the issuer that the server names now: ids that are given are used with one that is known alone. */
async function loginAtFirstIssuer(setup: Setup): Promise<TokenSource> {
  const { authorizationServer } = await discoverMcpAuth(setup.serverUrl.href);
  return login(setup, { issuer: authorizationServer.issuer });
}

/** Logs a person in; the client is registered as the authorization server has it, if the scenario gives no id. */
function login(
  { serverUrl, context }: Setup,
  options: { readonly dpop?: boolean; readonly issuer?: string } = {},
): TokenSource {
  return new OAuthTokenSource({
    serverUrl,
    clientMetadataUrl: CLIENT_METADATA_URL,
    enableDcr: true,
    authorizer: new RedirectedAuthorizer(),
    store: new MemoryCredentialStore(),
    ...('client_id' in context && {
      clientId: text(context, 'client_id'),
      clientSecret: text(context, 'client_secret'),
    }),
    ...options,
  });
}

function text(context: Setup['context'], member: string): string {
  const value = context[member];
  if (typeof value !== 'string') throw new Error(`The scenario gives no "${member}"`);
  return value;
}
