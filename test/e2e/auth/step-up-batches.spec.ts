import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Prompt, Public, RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { initialize } from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import { authorize, bootDesk, CALLERS, PUBLISHED } from '../../support/applications/protected-desk.js';
import type { RawResponse } from '../../support/clients/raw-http.js';

const ran: string[] = [];

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Lists tickets' })
  list(): string {
    ran.push('list');
    return 'listed';
  }

  @Tool({ description: 'Closes a ticket' })
  @RequireScope('desk:close', 'desk:write')
  close(): string {
    ran.push('close');
    return 'closed';
  }

  @Tool({ description: 'Reads a ticket' })
  @RequireScope('desk:read')
  read(): string {
    ran.push('read');
    return 'read';
  }

  @Prompt()
  @RequireScope('desk:plan', 'desk:read')
  plan(): string {
    ran.push('plan');
    return 'plan';
  }

  @Tool({ description: 'Finds out late what it needs' })
  late(_arguments: object, { auth }: McpContext): string {
    ran.push('late');
    auth.requireScope('desk:late');
    return 'late';
  }
}

@Injectable()
class HelpTools {
  @Tool({ description: 'Tells the opening hours' })
  @Public()
  hours(): string {
    ran.push('hours');
    return '9 to 17';
  }
}

const request = (id: number, method: string, params: JsonObject = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const call = (id: number, name: string) => request(id, 'tools/call', { name, arguments: {} });

const outcomesOf = ({ json }: RawResponse) =>
  (json as Message[]).map(({ id, result, error }) => [
    id,
    error?.code ?? result?.['isError'] ?? 'fine',
    error?.message ?? (result?.['content'] as { text: string }[] | undefined)?.[0]?.text,
  ]);

describe.each(ADAPTERS)('A batch of requests on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(CALLERS) },
      providers: [DeskHandlers, HelpTools],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  async function post(token: string | undefined, messages: readonly object[]): Promise<RawResponse> {
    const session = await initialize(desk.url, { version: '2025-03-26', headers: authorize(token) });
    return session.post(messages);
  }

  it('runs where its caller has all scopes (STEP-02)', async () => {
    const answer = await post(CALLERS.ada.token, [call(1, 'list'), call(2, 'read')]);
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([200, undefined]);
    expect(outcomesOf(answer)).toEqual([
      [1, 'fine', 'listed'],
      [2, 'fine', 'read'],
    ]);
  });

  it('is refused whole where one of its requests may not run, and nothing of it runs (STEP-02)', async () => {
    const answer = await post(CALLERS.bob.token, [
      call(1, 'list'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      call(2, 'close'),
      request(3, 'ping'),
    ]);
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toContain(
      'error="insufficient_scope", scope="desk:close desk:write"',
    );
    expect(outcomesOf(answer)).toEqual([
      [1, true, 'insufficient_scope: desk:close desk:write'],
      [2, true, 'insufficient_scope: desk:close desk:write'],
      [3, -32600, 'insufficient_scope: desk:close desk:write'],
    ]);
    expect(ran).toEqual([]);
  });

  it('asks for what all of its requests need at once (STEP-01, STEP-02)', async () => {
    const answer = await post(CALLERS.eve.token, [
      call(1, 'read'),
      call(2, 'close'),
      request(3, 'prompts/get', { name: 'plan' }),
    ]);
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toContain('scope="desk:read desk:close desk:write desk:plan"');
    expect(new Set(outcomesOf(answer).map(([, , text]) => text))).toEqual(
      new Set(['insufficient_scope: desk:read desk:close desk:write desk:plan']),
    );
    expect(ran).toEqual([]);
  });

  it('is refused with 401 where a token is missing for one of its requests (STEP-06)', async () => {
    expect((await post(undefined, [call(1, 'hours'), request(2, 'ping')])).status).toBe(200);
    ran.length = 0;
    const answer = await post(undefined, [call(1, 'hours'), call(2, 'list')]);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer resource_metadata=/);
    expect(ran).toEqual([]);
  });

  it('has the status of a handler that finds a scope missing before the answer begins (STEP-02)', async () => {
    const answer = await post(CALLERS.eve.token, [call(1, 'list'), call(2, 'late')]);
    expect(answer.status).toBe(403);
    expect(outcomesOf(answer)).toEqual([
      [1, 'fine', 'listed'],
      [2, true, 'insufficient_scope: desk:late'],
    ]);
  });
});
