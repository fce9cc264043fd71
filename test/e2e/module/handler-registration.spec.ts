import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Inject, Injectable, Module } from '@nestjs/common';
import { Complete, McpModule, Prompt, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { namesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';

@Injectable()
class TicketStore {
  readonly titles = ['printer', 'router'];
}

@Injectable()
class TicketTools {
  constructor(private readonly tickets: TicketStore) {}

  @Tool({ description: 'Counts the tickets' })
  countTickets(): string {
    return String(this.tickets.titles.length);
  }

  notATool(): string {
    return 'never listed';
  }
}

@Injectable()
class TicketResources {
  @Inject() private readonly tickets!: TicketStore;

  @Resource({ uri: 'tickets://all' })
  allTickets(): string[] {
    return this.tickets.titles;
  }

  @ResourceTemplate({ uriTemplate: 'tickets://{index}' })
  oneTicket({ index }: { index: string }): string {
    return this.tickets.titles[Number(index)] ?? 'none';
  }
}

@Injectable()
class SharedPrompts {
  @Prompt()
  sharedPrompt(): string {
    return 'inherited';
  }
}

@Injectable()
class ReplyPrompts extends SharedPrompts {
  @Prompt({ arguments: [{ name: 'tone' }] })
  reply(): string {
    return 'own';
  }

  @Complete({ prompt: 'reply', argument: 'tone' })
  tones(): string[] {
    return ['calm'];
  }
}

@Controller('tickets')
class TicketController {
  @Get()
  list(): object {
    return { from: 'controller' };
  }

  @Tool({ description: 'Is a controller too' })
  fromController(): string {
    return 'from a controller';
  }
}

@Module({ providers: [TicketStore, TicketTools, TicketResources], exports: [TicketStore] })
class TicketModule {}

@Module({ imports: [TicketModule], providers: [ReplyPrompts] })
class ReplyModule {}

describe.each(ADAPTERS)('McpModule.forRoot on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootApp({
      adapter,
      imports: [
        ReplyModule,
        McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }),
        TicketModule,
      ],
      controllers: [TicketController],
      providers: [{ provide: 'FACTORY', useFactory: () => new FactoryTools('factory') }],
    });
  });

  afterAll(() => desk.close());

  async function names(method: string, list: string): Promise<unknown[]> {
    const { result } = await perRequest(desk.url).request(method);
    return namesOf(result, list).map(String).toSorted();
  }

  it('turns decorated methods of any provider in any module into tools (MOD-01, MOD-10)', async () => {
    expect(await names('tools/list', 'tools')).toEqual(['countTickets', 'fromController', 'fromFactory']);
  });

  it('turns them into resources and resource templates (MOD-01)', async () => {
    expect(await names('resources/list', 'resources')).toEqual(['allTickets']);
    expect(await names('resources/templates/list', 'resourceTemplates')).toEqual(['oneTicket']);
  });

  it('turns them into prompts, inherited ones too (MOD-01)', async () => {
    expect(await names('prompts/list', 'prompts')).toEqual(['reply', 'sharedPrompt']);
  });

  it.each<[string, JsonObject, string]>([
    ['tools/call', { name: 'countTickets' }, '"2"'],
    ['tools/call', { name: 'fromFactory' }, '"factory"'],
    ['tools/call', { name: 'fromController' }, '"from a controller"'],
    ['resources/read', { uri: 'tickets://all' }, 'router'],
    ['resources/read', { uri: 'tickets://0' }, '"printer"'],
    ['prompts/get', { name: 'sharedPrompt' }, '"inherited"'],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'reply' }, argument: { name: 'tone', value: '' } },
      '"calm"',
    ],
  ])('answers %s %j from the provider, with what was injected (MOD-01)', async (method, params, text) => {
    const { result } = await perRequest(desk.url).request(method, params);
    expect(JSON.stringify(result)).toContain(text);
  });

  it('leaves the application its own routes (MOD-01)', async () => {
    expect((await sendHttp(`${desk.origin}/tickets`)).json).toEqual({ from: 'controller' });
  });

  it.each(['/mcp', '/mcp/', '/mcp?session=none', '/MCP'])('serves at %s (MOD-01)', async (path) => {
    const answer = await perRequest(`${desk.origin}${path}`).request('tools/list');
    // Fastify tells capitals apart, Express does not: the endpoint follows its router.
    const expected = adapter === 'express' || path.startsWith('/mcp') ? 200 : 404;
    expect(answer.status).toBe(expected);
  });
});

class FactoryTools {
  constructor(private readonly origin: string) {}

  @Tool({ description: 'Was made by a factory' })
  fromFactory(): string {
    return this.origin;
  }
}
