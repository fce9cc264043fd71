import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Complete, Prompt, ResourceTemplate, Tool, type McpContext } from 'nestjs-mcp';
import type { McpClient, McpRequestOptions } from 'nestjs-mcp/client-module';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

/** What callers have for an answer, if they hear nothing: a busy machine does not hold a step up for so long. */
const TIMEOUT_MS = 5000;
const STEP_MS = 100;
const STEPS = 60;

/** Takes longer than its callers have for an answer, and says how far it is. */
@Injectable()
class Mill {
  @Tool()
  async grind(_: object, context: McpContext): Promise<string> {
    for (let step = 1; step <= STEPS; step += 1) {
      await delay(STEP_MS);
      context.progress(step, STEPS);
    }
    return 'flour';
  }

  @ResourceTemplate({ uriTemplate: 'mill://{grain}' })
  flour(_: object, context: McpContext): Promise<string> {
    return this.grind(_, context);
  }

  @Prompt()
  recipe(_: object, context: McpContext): Promise<string> {
    return this.grind(_, context);
  }

  @Complete({ resourceTemplate: 'mill://{grain}', argument: 'grain' })
  async grains(_: object, context: McpContext): Promise<string[]> {
    return [await this.grind(_, context)];
  }
}

const SLOW: { [method: string]: (client: McpClient, options: McpRequestOptions) => Promise<unknown> } = {
  callTool: (client, options) => client.callTool('grind', {}, options),
  readResource: (client, options) => client.readResource('mill://rye', options),
  getPrompt: (client, options) => client.getPrompt('recipe', {}, options),
  complete: (client, options) => {
    const argument = { name: 'grain', value: '' };
    return client.complete({ ref: { resourceTemplate: 'mill://{grain}' }, argument }, options);
  },
};

describe.each(WIRES)('Progress (%j)', (negotiation) => {
  let server: RunningShop;
  let customer: Customer;

  beforeEach(async () => {
    server = await bootShop({}, [Mill]);
    customer = await bootCustomer({ url: server.url, negotiation });
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  it('starts the time of every request again, where nobody looks at it too (CLI-18)', async () => {
    const answers = await Promise.all(
      Object.entries(SLOW).map(async ([method, request]) => [
        method,
        JSON.stringify(await request(customer.client, { timeoutMs: TIMEOUT_MS })),
      ]),
    );
    const expected = Object.keys(SLOW).map((method) => [method, expect.stringContaining('flour')]);
    expect(answers).toEqual(expected);
  }, 60_000);

  it('is asked for with lists too, whose time it starts again (CLI-18)', async () => {
    await customer.app.close();
    const sent: string[] = [];
    const record: typeof fetch = (input, init) => {
      if (typeof init?.body === 'string') sent.push(init.body);
      return fetch(input, init);
    };
    customer = await bootCustomer({ url: server.url, negotiation, fetch: record });
    const { client } = customer;
    await Promise.all([client.listTools(), client.listResources(), client.listResourceTemplates()]);
    await client.listPrompts();
    const lists = sent.filter((message) => message.includes('/list"'));
    expect(lists).toHaveLength(4);
    expect(lists.filter((message) => message.includes('"progressToken"'))).toEqual(lists);
  });
});
