import { randomBytes } from 'node:crypto';
import type { UpstreamOptions } from 'nestjs-mcp/authorization-server';
import { AuthorizationServer } from '../03-protected/authorization-server/authorization-server.js';

/** The identity provider of a company, which runs on this machine. */
export interface CompanyLogin {
  /** The client that is registered at the provider. */
  readonly upstream: UpstreamOptions;
  stop(): Promise<void>;
}

/**
 * Starts a stand-in for Entra ID, Google or GitHub. One client is registered, and no other can register. Any name logs in.
 *
 * @param callbackUrl where the provider sends browsers back
 */
export async function startCompanyLogin(port: number, callbackUrl: string): Promise<CompanyLogin> {
  const client = { client_id: 'desk', client_secret: randomBytes(32).toString('hex') };
  const server = await AuthorizationServer.start({
    port,
    resource: 'http://127.0.0.1/company',
    scopes: ['openid', 'profile', 'email'],
    extend: (configuration) => ({
      configuration: {
        ...configuration,
        clientAuthMethods: ['client_secret_basic'],
        clients: [
          {
            ...client,
            client_name: 'The desk',
            redirect_uris: [callbackUrl],
            application_type: 'native',
            token_endpoint_auth_method: 'client_secret_basic',
          },
        ],
        features: { ...configuration.features, registration: { enabled: false } },
      },
      prepare: () => undefined,
    }),
  });
  return {
    upstream: {
      name: 'the company login',
      issuer: server.issuer,
      clientId: client.client_id,
      clientSecret: client.client_secret,
    },
    stop: () => server.stop(),
  };
}
