import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RequireScope, Tool } from 'nestjs-mcp';
import { MemoryCredentialStore, OAuthTokenSource } from 'nestjs-mcp/client';
import { RESOURCE } from '../../support/applications/protected-desk.js';
import { LoginServer } from '../../support/authorization/login-server.js';
import { Visitor } from '../../support/clients/visitor.js';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

@Injectable()
class TillTools {
  @Tool()
  @RequireScope('desk:write')
  open(): string {
    return 'open';
  }
}

describe.each(WIRES)('An injected client whose login did not bring a scope (%j)', (negotiation) => {
  const visitor = new Visitor();
  let login: LoginServer;
  let server: RunningShop;
  let customer: Customer;

  beforeEach(async () => {
    visitor.opened.length = 0;
    login = await LoginServer.start({ resources: [RESOURCE] });
    const validate = async (token: string) => {
      const scopes = await login.findScopes(token);
      return scopes && { sub: 'ada', scopes: scopes.filter((scope) => scope !== 'desk:write') };
    };
    const auth = { resourceUri: RESOURCE, authorizationServers: [login.issuer], validator: { validate } };
    server = await bootShop({ auth }, [TillTools]);
    const send: typeof fetch = (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      return fetch(url.replace(new URL(RESOURCE).origin, server.origin), init);
    };
    const source = new OAuthTokenSource({
      serverUrl: RESOURCE,
      store: new MemoryCredentialStore(),
      openBrowser: visitor.open,
      fetch: send,
      allowPrivateAddresses: true,
    });
    customer = await bootCustomer({ url: RESOURCE, negotiation, auth: source, fetch: send });
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
    await login.stop();
  });

  it('opens no other login for the next call, and goes on with what it has (PEER-06)', async () => {
    // The first challenge names all scopes of the server, so that the login asks for them all.
    for (let time = 0; time < 3; time += 1) {
      await expect(customer.client.callTool('open')).rejects.toMatchObject({
        code: 'login_ineffective',
        demanded: ['desk:write'],
      });
    }
    expect(visitor.opened).toHaveLength(1);
    await expect(customer.client.callTool('whoami')).resolves.toMatchObject({ content: [{ text: 'ada' }] });
  });
});
