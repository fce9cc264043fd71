import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import type { McpClient } from 'nestjs-mcp/client-module';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { BookingHandlers } from '../input-requests/booking.app.js';
import { bootCustomer, bootShop, type Customer, type RunningShop } from './shop.app.js';

/** It declares what nobody answers, as an application does that forgot the handler. */
const DECLARED = { capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} } };

@Injectable()
class Errands {
  @Tool({ task: 'required' })
  run(): string {
    return 'done';
  }

  @Tool()
  tools(_: object, context: McpContext): Promise<unknown> {
    const weigh = { name: 'weigh', inputSchema: { type: 'object' } } as const;
    return context.sample({ messages: [], maxTokens: 1, tools: [weigh] });
  }
}

const QUESTIONS: readonly [tool: string, named: string][] = [
  ['book', '@McpElicitation("shop")'],
  ['pay', '@McpElicitation({ client: "shop", url: true })'],
  ['greet', '@McpSampling("shop")'],
  ['folders', '@McpRoots("shop")'],
];

const callOf = (client: McpClient, tool: string) =>
  client.callTool(tool, tool === 'book' ? { city: 'Bonn' } : {});

describe('What an injected client lacks', () => {
  let server: RunningShop;
  let customer: Customer;

  beforeEach(async () => {
    server = await bootShop({ tasks: true }, [BookingHandlers, Errands]);
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  it.each(QUESTIONS)('to answer "%s" is named, with what provides it (CLI-18)', async (tool, named) => {
    customer = await bootCustomer({ url: server.url });
    const failed = callOf(customer.client, tool);
    await expect(failed).rejects.toMatchObject({ code: 'capability_missing', client: 'shop' });
    await expect(failed).rejects.toThrow(named);
    await expect(failed).rejects.toHaveProperty('cause.code', -32_021);
  });

  it('to sample with tools is named with the option (CLI-18)', async () => {
    customer = await bootCustomer({ url: server.url });
    const failed = callOf(customer.client, 'tools');
    await expect(failed).rejects.toThrow('client option "capabilities" to { sampling: { tools: {} } }');
  });

  it('for a task is named with the option that switches tasks off (CLI-18)', async () => {
    customer = await bootCustomer({ url: server.url, tasks: false });
    await expect(callOf(customer.client, 'run')).rejects.toThrow(
      'remove "tasks: false" from the client options',
    );
  });

  it.each(QUESTIONS.filter(([tool]) => tool !== 'pay'))(
    'is named where "%s" is declared and has no handler (CLI-18)',
    async (tool, named) => {
      customer = await bootCustomer({ url: server.url, ...DECLARED });
      await expect(callOf(customer.client, tool)).rejects.toThrow(named);
    },
  );
});

/** A server that asks without looking at what the client declared. */
async function bootRude() {
  const server = new McpServer({ name: 'rude', version: '1.0.0' });
  server.registerTool('ask', {}, async (extra) => {
    const asked = extra.sendRequest({ method: 'roots/list' }, { parse: (value: unknown) => value } as never);
    const text = await asked.then(
      () => 'answered',
      (error: unknown) => `refused: ${String((error as { code?: unknown }).code)}`,
    );
    return { content: [{ type: 'text', text }] };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'one' });
  await server.connect(transport);
  const http = createServer((request, response) => void transport.handleRequest(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    await server.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, close };
}

describe('A question that the client never said it would answer', () => {
  it('is refused, and the log says once what would answer it (CLI-18)', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const server = await bootRude();
    const customer = await bootCustomer({ url: server.url, negotiation: 'legacy' });
    try {
      const first = await customer.client.callTool('ask');
      expect(first).toMatchObject({ content: [{ text: 'refused: -32601' }] });
      await customer.client.callTool('ask');
      const lines = warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('shop'));
      expect(lines).toEqual([expect.stringContaining('@McpRoots("shop")')]);
    } finally {
      warn.mockRestore();
      await customer.app.close();
      await server.close();
    }
  });
});
