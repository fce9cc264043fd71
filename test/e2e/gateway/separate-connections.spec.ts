import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Tool, type GivenClaims, type McpContext } from 'nestjs-mcp';
import { StaticTokenSource } from 'nestjs-mcp/client';
import { McpClientModule, McpClients } from 'nestjs-mcp/client-module';
import { ADAPTERS } from '../../support/applications/boot.js';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { until } from '../../support/until.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, NOTES, textOf, type RunningGateway } from './gateway.app.js';

const TOKEN = 'token-of-the-gateway-0b7e';

const TOKEN_OF_NAMESAKE = 'token-of-another-ada-5d1f';

const OTHER_TOKEN_OF_EVE = 'another-token-of-eve-3c0d';

/** Uses the connections of the gateway. */
@Injectable()
class Opener {
  constructor(private readonly clients: McpClients) {}

  @Tool({ name: 'open_notes', description: 'Opens the connection of the caller' })
  async open(_: object, context: McpContext): Promise<string | undefined> {
    return textOf(await this.clients.forCaller('notes', context).callTool('pid'));
  }
}

/** Knows another user with the name of one with a fixed token. */
const validator = {
  validate: (token: string): GivenClaims | undefined =>
    token === TOKEN_OF_NAMESAKE ? { sub: CALLERS.ada.subject, scopes: [...CALLERS.ada.scopes] } : undefined,
};

type CallerName = keyof typeof CALLERS;

describe.each(ADAPTERS)(
  'A gateway on %s with a connection for each caller, without an exchange',
  (adapter) => {
    const clients: Client[] = [];
    let shop: RunningShop;
    let gateway: RunningGateway;

    const connect = async (caller: CallerName, answer?: string, token: string = CALLERS[caller].token) => {
      const client = new Client(
        { name: 'front', version: '1.0.0' },
        {
          capabilities: { elicitation: { form: {} }, roots: {} },
          versionNegotiation: { mode: 'auto' },
        },
      );
      client.setRequestHandler('elicitation/create', () => ({
        action: 'accept',
        content: { note: answer ?? caller },
      }));
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: `file:///home/${caller}` }] }));
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }),
      );
      clients.push(client);
      return client;
    };
    const call = async (client: Client, name: string) => textOf(await client.callTool({ name }));

    beforeAll(async () => {
      shop = await bootShop({ auth: { bearer: { token: TOKEN, subject: 'the gateway' } } });
      gateway = await bootGateway({
        adapter,
        options: {
          auth: {
            bearer: [...Object.values(CALLERS), { ...CALLERS.eve, token: OTHER_TOKEN_OF_EVE }],
            validator,
          },
        },
        imports: [McpClientModule.forRoot([])],
        providers: [Opener],
        servers: {
          shop: {
            url: shop.url,
            auth: new StaticTokenSource(TOKEN),
            negotiation: 'legacy',
            identity: 'caller',
            exchange: false,
            callers: { maximum: 1 },
          },
          notes: { ...NOTES, identity: 'caller', exchange: false, callers: { maximum: 2 } },
        },
      });
      await gateway.ready('shop', 'notes');
    });
    afterAll(async () => {
      await Promise.all(clients.map((client) => client.close()));
      await gateway.close();
      await shop.close();
    });

    it('starts a process for each caller (GATE-03)', async () => {
      const [ada, bob, other] = [await connect('ada'), await connect('bob'), await connect('ada')];
      const [first, second, third] = await Promise.all(
        [ada, bob, other].map((one) => call(one, 'notes_pid')),
      );
      expect(third).toBe(first);
      expect(second).not.toBe(first);
    });

    it('takes users with the same name whom different validators know for different callers (GATE-03)', async () => {
      const [ada, namesake] = [
        await connect('ada', 'of ada'),
        await connect('ada', 'of the other', TOKEN_OF_NAMESAKE),
      ];
      const [one, other] = await Promise.all([ada, namesake].map((client) => call(client, 'notes_pid')));
      expect(other).not.toBe(one);
      const answers = await Promise.all([ada, namesake].map((client) => call(client, 'notes_ask')));
      expect(answers).toEqual([expect.stringContaining('of ada'), expect.stringContaining('of the other')]);
    });

    it('asks each caller for what its process asks, although calls run at once (GATE-02)', async () => {
      const [ada, bob] = [await connect('ada', 'of ada'), await connect('bob', 'of bob')];
      const answers = await Promise.all([ada, bob].map((one) => call(one, 'notes_ask')));
      expect(answers).toEqual([expect.stringContaining('of ada'), expect.stringContaining('of bob')]);
    });

    it('gives the process of each caller its own roots (GATE-03)', async () => {
      const [ada, bob] = [await connect('ada'), await connect('bob')];
      const roots = await Promise.all([ada, bob].map((one) => call(one, 'notes_roots')));
      expect(roots).toEqual(['file:///home/ada', 'file:///home/bob']);
    });

    it('asks a caller whose connection the application has opened, with another token (GATE-02)', async () => {
      const [first, second] = [await connect('eve'), await connect('eve', 'of eve', OTHER_TOKEN_OF_EVE)];
      const pid = await call(first, 'open_notes');
      expect(await call(second, 'notes_ask')).toContain('of eve');
      expect(await call(second, 'notes_pid')).toBe(pid);
    });

    it('opens a session for each caller with its own token, and closes the oldest beyond the limit (GATE-03)', async () => {
      const [ada, bob] = [await connect('ada'), await connect('bob')];
      const { notifier } = shop.shop;
      expect(await call(ada, 'shop_whoami')).toBe('the gateway');
      const before = new Set(notifier.sessions.map(({ id }) => id));
      expect(await call(bob, 'shop_whoami')).toBe('the gateway');
      const opened = notifier.sessions.filter(({ id }) => !before.has(id));
      expect(opened).toHaveLength(1);
      const hasClosed = () =>
        [...before].some((id) => notifier.sessions.every((session) => session.id !== id));
      expect(await until(hasClosed, 'the end of the first session')).toBe(true);
      expect(await call(bob, 'shop_whoami')).toBe('the gateway');
    });
  },
);
