import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { ErrorCode, McpError, Tool, ToolError, type McpContext } from 'nestjs-mcp';
import { McpElicitation, type HttpClientOptions, type McpTaskStatus } from 'nestjs-mcp/client-module';
import { z } from 'zod';
import { until, within } from '../../support/until.js';
import { RecordedFetch } from './recorded-fetch.js';
import { bootCustomer, bootShop, type Customer, type RunningShop } from './shop.app.js';

const seen: string[] = [];

@Injectable()
class Bakery {
  @Tool({ task: 'optional', pollIntervalMs: 50 })
  async bake(_: object, { task }: McpContext): Promise<string> {
    if (task === undefined) return 'baked at once';
    task.setStatusMessage('in the oven');
    await until(() => seen.includes('in the oven'), 'the status message at the client');
    return 'baked';
  }

  @Tool({ task: 'optional', pollIntervalMs: 50 })
  async order(_: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: 'With salt?', schema: z.object({ salt: z.boolean() }) });
    return answer.action === 'accept' ? `salt: ${answer.content.salt}` : answer.action;
  }

  @Tool({ task: 'optional', pollIntervalMs: 50 })
  burn(): never {
    throw new ToolError('it is burnt');
  }

  @Tool({ task: 'optional', pollIntervalMs: 50 })
  collapse(): never {
    throw new McpError(ErrorCode.InternalError, 'the oven is broken');
  }

  @Tool({ task: 'optional', pollIntervalMs: 50 })
  async rest(_: object, { signal }: McpContext): Promise<string> {
    seen.push('resting');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    seen.push('woken');
    return 'rested';
  }

  /** It has nothing to tell, and looks at it are far between. */
  @Tool({ task: 'optional', pollIntervalMs: 60_000 })
  async dream(_: object, { signal }: McpContext): Promise<void> {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }

  /** Looks at it are far between: what ends it sooner is what the server tells. */
  @Tool({ task: 'optional', pollIntervalMs: 60_000 })
  async call(): Promise<string> {
    await delay(300);
    return 'called';
  }
}

@Injectable()
class Customers {
  @McpElicitation()
  answer(): ElicitResult {
    seen.push('asked');
    return { action: 'accept', content: { salt: true } };
  }
}

interface Way {
  readonly way: string;
  readonly negotiation: HttpClientOptions['negotiation'];
  readonly task: boolean;
}

const WAYS: readonly Way[] = [
  { way: 'of the published extension', negotiation: { pin: '2026-07-28' }, task: false },
  { way: 'of a session that declares the extension', negotiation: 'legacy', task: false },
  { way: 'of 2025-11-25', negotiation: 'legacy', task: true },
];

const textOf = (result: { readonly content: readonly unknown[] }) =>
  (result.content[0] as { readonly text?: string } | undefined)?.text;

describe.each(WAYS)('A task $way', ({ negotiation, task }) => {
  let server: RunningShop;
  let customer: Customer;
  let requests: RecordedFetch;

  beforeEach(async () => {
    seen.length = 0;
    requests = new RecordedFetch();
    server = await bootShop({ tasks: true }, [Bakery]);
    customer = await bootCustomer({ url: server.url, negotiation, fetch: requests.fetch }, [Customers]);
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  it('is followed to its result, which the call gives (CLI-18)', async () => {
    const told: McpTaskStatus[] = [];
    const result = await customer.client.callTool(
      'bake',
      {},
      {
        task,
        onStatus: (status) => {
          told.push(status);
          seen.push(String(status.statusMessage));
        },
      },
    );
    expect(textOf(result)).toBe('baked');
    expect(result).not.toHaveProperty('resultType');
    expect(told.at(0)).toMatchObject({ status: 'working' });
    expect(told.at(-1)).toMatchObject({ status: 'completed' });
    expect(told.map(({ statusMessage }) => statusMessage)).toContain('in the oven');
    expect(requests.count('tools/call')).toBe(1);
  });

  it('has its questions answered by the handlers of the application (CLI-18)', async () => {
    const result = await customer.client.callTool('order', {}, { task });
    expect(textOf(result)).toBe('salt: true');
    expect(seen).toEqual(['asked']);
  });

  it('of a tool that failed gives its result (CLI-18)', async () => {
    const result = await customer.client.callTool('burn', {}, { task });
    expect(result).toMatchObject({ isError: true, content: [{ text: 'it is burnt' }] });
  });

  it('that ends with an error fails the call with it (CLI-18)', async () => {
    await expect(customer.client.callTool('collapse', {}, { task })).rejects.toMatchObject({
      message: expect.stringContaining('the oven is broken'),
    });
  });

  it('is cancelled when the caller gives up (CLI-18)', async () => {
    const stop = new AbortController();
    const onStatus = () => seen.push('told');
    const call = customer.client.callTool('rest', {}, { task, signal: stop.signal, onStatus });
    await until(() => seen.includes('resting') && seen.includes('told'), 'the task');
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await until(() => seen.includes('woken'), 'the end of the task');
  });

  it('ends with the application, however long it would wait for the next look (CLI-18)', async () => {
    let isTask = false;
    const call = customer.client.callTool('dream', {}, { task, onStatus: () => (isTask = true) });
    call.catch(() => undefined);
    await until(() => isTask, 'the task');
    await customer.app.close();
    const ended = call.catch((error: unknown) => error);
    await expect(within(ended, 'the end of the call')).resolves.toMatchObject({ code: 'client_closed' });
  });

  it('ends as soon as the server tells of it (CLI-18)', async () => {
    const result = await customer.client.callTool('call', {}, { task });
    expect(textOf(result)).toBe('called');
    expect(requests.count('tasks/get')).toBe(0);
  });
});

describe('Tasks of an injected client', () => {
  let server: RunningShop;
  let customer: Customer | undefined;

  beforeEach(async () => {
    seen.length = 0;
    server = await bootShop({ tasks: true }, [Bakery]);
  });
  afterEach(async () => {
    await customer?.app.close();
    await server.close();
  });

  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'are none where the client knows none (%j) (CLI-18)',
    async (negotiation) => {
      customer = await bootCustomer({ url: server.url, negotiation, tasks: false });
      expect(textOf(await customer.client.callTool('bake'))).toBe('baked at once');
    },
  );

  it('are cancelled when they take longer than they are followed (CLI-18)', async () => {
    customer = await bootCustomer({ url: server.url, tasks: { maxMs: 1000 } });
    const call = customer.client.callTool('rest');
    await expect(call).rejects.toMatchObject({ code: 'task_ended', status: 'working' });
    await expect(call).rejects.toThrow('more than 1000 ms');
    await until(() => seen.includes('woken'), 'the end of the task');
  });

  it('end as the caller says who gives them a time of its own (CLI-18)', async () => {
    customer = await bootCustomer({ url: server.url });
    const stop = new AbortController();
    const onStatus = () => seen.push('told');
    const call = customer.client.callTool('rest', {}, { signal: stop.signal, onStatus });
    await until(() => seen.includes('resting') && seen.includes('told'), 'the task');
    // As `AbortSignal.timeout` does.
    stop.abort(new DOMException('too slow', 'TimeoutError'));
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError', message: 'too slow' });
    await until(() => seen.includes('woken'), 'the end of the task');
  });

  it('end with the application, whatever its own answer waits for (CLI-18)', async () => {
    @Injectable()
    class Sleepers {
      @McpElicitation()
      answer(): Promise<ElicitResult> {
        seen.push('asked');
        return new Promise(() => undefined);
      }
    }
    customer = await bootCustomer({ url: server.url }, [Sleepers]);
    const ended = customer.client.callTool('order').catch((error: unknown) => error);
    await until(() => seen.includes('asked'), 'the question');
    await customer.app.close();
    await expect(within(ended, 'the end of the call')).resolves.toMatchObject({ code: 'client_closed' });
  });

  it('that ask what nobody answers are given up (CLI-18)', async () => {
    customer = await bootCustomer({ url: server.url, capabilities: { elicitation: { form: {} } } });
    await expect(customer.client.callTool('order')).rejects.toMatchObject({ code: 'question_unanswered' });
  });
});
