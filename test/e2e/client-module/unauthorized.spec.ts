import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StaticTokenSource } from 'nestjs-mcp/client';
import { McpClientUnauthorizedError, type HttpClientOptions } from 'nestjs-mcp/client-module';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

const TOKEN = 'token-of-the-shop';

describe.each([...WIRES, 'auto'] as const)(
  'An injected client that its server takes no call of (%j)',
  (negotiation) => {
    let server: RunningShop;
    let customer: Customer;

    beforeEach(async () => {
      server = await bootShop({ auth: { bearer: { token: TOKEN, subject: 'customer' } } });
    });
    afterEach(async () => {
      await customer.app.close();
      await server.close();
    });

    const refuse = async (options: Partial<HttpClientOptions>) => {
      customer = await bootCustomer({ url: server.url, negotiation, ...options });
      return customer.client.callTool('whoami').catch((error: unknown) => error);
    };

    it('says that it has no token, by its name (CLI-18)', async () => {
      const error = await refuse({});
      expect(error).toBeInstanceOf(McpClientUnauthorizedError);
      expect(error).toMatchObject({ client: 'shop', code: 'client_unauthorized', cause: { status: 401 } });
      expect(String(error)).toMatch(/client "shop" requires a token, but the client sends none: set "auth"/);
    });

    it.each<[string, Partial<HttpClientOptions>]>([
      ['its source', { auth: new StaticTokenSource('wrong-token') }],
      ['a header', { headers: { Authorization: 'Bearer wrong-token' } }],
    ])('says that the token of %s was refused, without it (CLI-18)', async (_where, options) => {
      const error = await refuse(options);
      expect(error).toMatchObject({ client: 'shop', code: 'client_unauthorized' });
      expect(String(error)).toMatch(/client "shop" rejected the client token/);
      expect(String(error)).not.toContain('wrong-token');
    });

    it('says so where the token is refused later (CLI-18)', async () => {
      let token = TOKEN;
      customer = await bootCustomer({ url: server.url, negotiation, auth: { token: async () => token } });
      await customer.client.callTool('whoami');
      token = 'wrong-token';
      await expect(customer.client.callTool('whoami')).rejects.toMatchObject({ code: 'client_unauthorized' });
    });
  },
);

describe.each([...WIRES, 'auto'] as const)(
  'An injected client whose token source fails (%j)',
  (negotiation) => {
    let server: RunningShop;
    let customer: Customer;

    beforeEach(async () => {
      server = await bootShop({ auth: { bearer: { token: TOKEN, subject: 'customer' } } });
    });
    afterEach(async () => {
      await customer.app.close();
      await server.close();
    });

    const boot = async (token: () => Promise<string>) => {
      customer = await bootCustomer({ url: server.url, negotiation, auth: { token } });
    };

    it('says at once what is wrong with it, and tries nothing again (CLI-18)', async () => {
      const fault = new TypeError('The "privateKey" cannot sign');
      let asked = 0;
      await boot(async () => {
        asked += 1;
        throw fault;
      });
      const error = await customer.client.callTool('whoami').catch((caught: unknown) => caught);
      expect([error, (error as Error).cause]).toContain(fault);
      expect(asked).toBe(1);
    });

    it('goes on over the same connection, which is not lost by it (CLI-18)', async () => {
      const fault = new TypeError('The "privateKey" cannot sign');
      let isBroken = false;
      await boot(async () => {
        if (isBroken) throw fault;
        return TOKEN;
      });
      await customer.client.callTool('whoami');
      const states: string[] = [];
      customer.client.state$.subscribe((state) => states.push(state));
      isBroken = true;
      const error = await customer.client.callTool('whoami').catch((caught: unknown) => caught);
      expect([error, (error as Error).cause]).toContain(fault);
      isBroken = false;
      await customer.client.callTool('whoami');
      expect(states).toEqual(['connected']);
    });

    it('tries again where it is the network that fails it (CLI-18)', async () => {
      let asked = 0;
      await boot(async () => {
        asked += 1;
        if (asked === 1) throw new TypeError('fetch failed', { cause: new Error('reset') });
        return TOKEN;
      });
      await expect(customer.client.callTool('whoami')).resolves.toMatchObject({
        content: [{ text: 'customer' }],
      });
    });
  },
);
