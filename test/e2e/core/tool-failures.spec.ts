import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ForbiddenException, Injectable, NotFoundException } from '@nestjs/common';
import { McpError, Tool, ToolError, type McpContext } from 'nestjs-mcp';
import { throwError } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { Answer } from '../../support/clients/call.js';

const SECRET = 'hunter2';

@Injectable()
class FailingTools {
  @Tool({ description: 'Throws' })
  crash(): string {
    throw new Error(`password ${SECRET}`);
  }

  @Tool({ description: 'Rejects' })
  reject(): Promise<string> {
    return Promise.reject(new TypeError(SECRET));
  }

  @Tool({ description: 'Throws what is no error' })
  throwText(): string {
    throw SECRET;
  }

  @Tool({ description: 'Errs as an Observable' })
  err() {
    return throwError(() => new Error(SECRET));
  }

  @Tool({ description: 'Says what is wrong' })
  refuse(): string {
    throw new ToolError('The ticket is closed: open it first');
  }

  @Tool({ description: 'Fails as a controller would' })
  notFound(): string {
    throw new NotFoundException('No ticket 42');
  }

  @Tool({ description: 'Fails as a guard would' })
  forbidden(): string {
    throw new ForbiddenException();
  }

  @Tool({ description: 'Breaks the protocol on purpose' })
  protocolError(): string {
    throw new McpError(-32_000 - 999_000, 'Out of paper', { tray: 2 });
  }

  @Tool({ description: 'Returns an error' })
  returned() {
    return { content: [{ type: 'text' as const, text: 'no luck' }], isError: true };
  }

  @Tool({ description: 'Fails half way' })
  failLate(_: object, context: McpContext): string {
    context.progress(1);
    throw new ToolError('half way');
  }
}

describe.each(ADAPTERS)('failures of tools on %s', (adapter) => {
  let desk: RunningApp;
  let open: RunningApp;

  beforeAll(async () => {
    const providers = [FailingTools];
    desk = await bootServer({ adapter, providers });
    open = await bootServer({ adapter, options: { exposeErrors: true }, providers });
  });

  afterAll(async () => {
    await desk.close();
    await open.close();
  });

  async function callBoth(name: string, url = desk.url): Promise<Answer[]> {
    const session = await initialize(url);
    return [
      await session.request('tools/call', { name }),
      await perRequest(url).request('tools/call', { name }),
    ];
  }

  it.each(['crash', 'reject', 'throwText', 'err'])(
    'answers %s with a result that is an error and says nothing of it (CORE-05)',
    async (name) => {
      for (const { status, result, error } of await callBoth(name)) {
        expect([status, error]).toEqual([200, undefined]);
        expect(result).toMatchObject({ isError: true, content: [{ type: 'text' }] });
        expect(JSON.stringify(result)).not.toMatch(new RegExp(`${SECRET}|\\.ts:|at `));
      }
    },
  );

  it('gives each unexpected failure an incident of its own (CORE-05)', async () => {
    const [first, second] = await callBoth('crash');
    expect(first?.result?.['content']).not.toEqual(second?.result?.['content']);
  });

  it.each([
    ['refuse', 'The ticket is closed: open it first'],
    ['notFound', 'No ticket 42'],
    ['forbidden', 'Forbidden'],
    ['returned', 'no luck'],
  ])('answers %s with a result that is an error and its message (CORE-05)', async (name, text) => {
    for (const { status, result } of await callBoth(name)) {
      expect(status).toBe(200);
      expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
    }
  });

  it('answers an McpError as the JSON-RPC error that it is (CORE-05)', async () => {
    for (const { status, result, error } of await callBoth('protocolError')) {
      expect([status, result]).toEqual([200, undefined]);
      expect(error).toEqual({ code: -1_031_000, message: 'Out of paper', data: { tray: 2 } });
    }
  });

  it('answers an unknown tool with a JSON-RPC error (CORE-05)', async () => {
    for (const { result, error } of await callBoth('missing')) {
      expect([result, error?.code]).toEqual([undefined, -32602]);
    }
  });

  it('shows the message of an unexpected failure where "exposeErrors" is set (CORE-05)', async () => {
    for (const { result } of await callBoth('crash', open.url)) {
      expect(result).toMatchObject({ isError: true });
      expect(JSON.stringify(result)).toContain(`password ${SECRET}`);
    }
  });

  it('ends a stream that has begun with the failure (CORE-05)', async () => {
    const params = { name: 'failLate', _meta: { progressToken: 1 } };
    const answer = await perRequest(desk.url).request('tools/call', params);
    expect(answer.notifications).toHaveLength(1);
    expect(answer.result).toMatchObject({ isError: true, content: [{ type: 'text', text: 'half way' }] });
  });
});
