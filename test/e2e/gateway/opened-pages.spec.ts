import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { McpNotifier, Tool, UrlElicitationRequiredError, type McpContext } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, textOf, type RunningGateway } from './gateway.app.js';

const PAGE = { url: 'https://shop.example.com/pay', message: 'Pay first' } as const;

@Injectable()
class Till {
  /** The session that was asked to open a page first. */
  session = '';

  constructor(private readonly notifier: McpNotifier) {}

  /** Does what happens when the user has paid. */
  finish(): void {
    this.notifier.elicitationCompleted(this.session, 'pay-7');
  }

  @Tool({ description: 'Asks the user to pay' })
  async pay(_: object, context: McpContext): Promise<string> {
    const { action, elicitationId } = await context.elicitUrl(PAGE);
    this.notifier.elicitationCompleted(context.session?.id ?? '', elicitationId);
    return `${action} ${elicitationId}`;
  }

  @Tool({ description: 'Requires a payment first' })
  open(_: object, { session }: McpContext): never {
    this.session = session?.id ?? '';
    throw new UrlElicitationRequiredError({ ...PAGE, elicitationId: 'pay-7' });
  }
}

describe.each(ADAPTERS)('Pages that a server behind a gateway on %s asks users to open', (adapter) => {
  const opened: unknown[] = [];
  const completed: string[] = [];
  let shop: RunningShop;
  let gateway: RunningGateway;
  let client: Client;
  let bystander: Client;

  const connect = async (notes: string[]) => {
    const capabilities = { elicitation: { form: {}, url: {} } };
    const connected = new Client({ name: 'front', version: '1.0.0' }, { capabilities });
    connected.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      opened.push(params);
      return { action: 'accept' };
    });
    connected.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => {
      notes.push(params.elicitationId);
    });
    await connected.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
    return connected;
  };

  beforeAll(async () => {
    shop = await bootShop({}, [Till]);
    gateway = await bootGateway({ adapter, servers: { shop: { url: shop.url, negotiation: 'legacy' } } });
    await gateway.ready('shop');
    client = await connect(completed);
    bystander = await connect(completed);
  });
  afterAll(async () => {
    await Promise.all([client.close(), bystander.close()]);
    await gateway.close();
    await shop.close();
  });

  it('open at the client, which is notified once of the completion (GATE-02)', async () => {
    const text = textOf(await client.callTool({ name: 'shop_pay' }));
    const id = text?.split(' ')[1] ?? '';
    expect([text, opened]).toMatchObject([`accept ${id}`, [{ mode: 'url', ...PAGE, elicitationId: id }]]);
    await until(() => completed.length > 0, 'the completion');
    expect(completed).toEqual([id]);
  });

  it('are named in the error that requires them, and completed too (GATE-02)', async () => {
    completed.length = 0;
    const error = await client.callTool({ name: 'shop_open' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: -32042,
      data: { elicitations: [{ ...PAGE, elicitationId: 'pay-7' }] },
    });
    shop.app.get(Till).finish();
    await until(() => completed.length > 0, 'the completion');
    expect(completed).toEqual(['pay-7']);
  });
});
