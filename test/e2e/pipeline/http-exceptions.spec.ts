import {
  ConflictException,
  Injectable,
  NotFoundException,
  ServiceUnavailableException,
  type CallHandler,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tap } from 'rxjs';
import { Complete, Prompt, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

const EXCEPTIONS = {
  missing: () => new NotFoundException('Ticket 7 does not exist'),
  taken: () => new ConflictException('Ticket 7 is taken'),
  down: () => new ServiceUnavailableException('The database at 10.0.0.7 is down'),
};

function fail(name: string): never {
  throw EXCEPTIONS[name as keyof typeof EXCEPTIONS]();
}

@Injectable()
class FailingHandlers {
  @Tool({ inputSchema: { type: 'object', properties: { name: { type: 'string' } } } })
  tool({ name }: { name: string }) {
    return fail(name);
  }

  @Resource({ uri: 'desk://missing' })
  resource() {
    return fail('missing');
  }

  @ResourceTemplate({ uriTemplate: 'desk://by/{name}' })
  async template({ name }: { name: string }) {
    return fail(name);
  }

  @Prompt({ arguments: [{ name: 'name' }] })
  prompt({ name }: { name: string }) {
    return fail(name);
  }

  @Complete({ prompt: 'prompt', argument: 'name' })
  complete({ value }: { value: string }) {
    return fail(value);
  }
}

const watch = { intercept: (_context: ExecutionContext, next: CallHandler) => next.handle().pipe(tap()) };

describe.each([false, true])(
  'An HttpException under an APP_INTERCEPTOR, "globalEnhancers: %s"',
  (globalEnhancers) => {
    let app: RunningApp;
    const request = async (method: string, params: { readonly [name: string]: unknown }) => [
      await (await initialize(app.url)).request(method, params),
      await perRequest(app.url).request(method, params),
    ];

    beforeAll(async () => {
      app = await bootServer({
        options: { globalEnhancers },
        providers: [FailingHandlers, { provide: APP_INTERCEPTOR, useValue: watch }],
      });
    });

    afterAll(() => app.close());

    it.each([
      ['missing', 'Ticket 7 does not exist'],
      ['taken', 'Ticket 7 is taken'],
    ])('of a tool is a result with its message, never a 500: %s (MOD-03) (CORE-05)', async (name, text) => {
      for (const answer of await request('tools/call', { name: 'tool', arguments: { name } })) {
        expect(answer.status).toBe(200);
        expect(answer.result).toMatchObject({ isError: true, content: [{ type: 'text', text }] });
      }
    });

    it.each(['desk://missing', 'desk://by/missing'])(
      'of status 404 is the revision’s not-found error: %s (MOD-03)',
      async (uri) => {
        const [session, stateless] = await request('resources/read', { uri });
        expect(session?.error).toMatchObject({ code: -32002, data: { uri } });
        expect(stateless?.error).toMatchObject({ code: -32602, data: { uri } });
        expect([session?.status, stateless?.status]).toEqual([200, 200]);
      },
    );

    it.each([
      ['resources/read', { uri: 'desk://by/taken' }],
      ['prompts/get', { name: 'prompt', arguments: { name: 'taken' } }],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'name', value: 'taken' } },
      ],
    ])('of another 4xx status is -32602 with its message: %s (MOD-03) (CORE-01)', async (method, params) => {
      for (const { error } of await request(method, params)) {
        expect(error).toMatchObject({ code: -32602, message: 'Ticket 7 is taken' });
      }
    });

    it('of a 5xx status is -32603 without its message (MOD-03) (CORE-01)', async () => {
      for (const { error } of await request('prompts/get', { name: 'prompt', arguments: { name: 'down' } })) {
        expect(error?.code).toBe(-32603);
        expect(error?.message).not.toContain('10.0.0.7');
      }
    });
  },
);
