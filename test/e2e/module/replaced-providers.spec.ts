import { describe, expect, it } from '@jest/globals';
import { forwardRef, Injectable, Module, type Provider } from '@nestjs/common';
import type { TestingModuleBuilder } from '@nestjs/testing';
import { EventSource, McpModule, Tool, type McpOptions } from 'nestjs-mcp';
import { NEVER, type Observable } from 'rxjs';
import { bootApp, bootTestingApp, type RunningApp } from '../../support/applications/boot.js';
import { namesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';

abstract class AdminTools {
  abstract purge(): string;
}

@Injectable()
class RealAdminTools extends AdminTools {
  @Tool({ description: 'Purges' })
  purge(): string {
    return 'purged';
  }

  @EventSource()
  purges(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class ConcreteTools {
  @Tool({ description: 'Purges' })
  purge(): string {
    return 'purged by what the test replaces';
  }

  @EventSource()
  purges(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class ReplacedTools extends ConcreteTools {}

const serve = (server: string, options: Partial<McpOptions> = {}) =>
  McpModule.forRoot({
    server,
    mcpPath: `/${server}`,
    serverInfo: { name: server, version: '1.0.0' },
    events: true,
    ...options,
  });

const SERVERS = [serve('default'), serve('admin')];
const assignTo = (server: string, ...providers: (typeof AdminTools)[]) =>
  McpModule.forFeature({ server, providers });

/** Gives what each server publishes: tools first, event sources then. */
async function readOffers({ origin, close }: RunningApp): Promise<Record<string, unknown[]>> {
  const offers: Record<string, unknown[]> = {};
  for (const server of ['default', 'admin']) {
    const client = perRequest(`${origin}/${server}`);
    const tools = await client.request('tools/list');
    const events = await client.request('events/list');
    offers[server] = [...namesOf(tools.result, 'tools'), ...namesOf(events.result, 'events')];
  }
  await close();
  return offers;
}

const OF_THE_ADMIN = { default: [], admin: ['purge', 'purges'] };

describe('Handlers of a provider that "forFeature" names by its token', () => {
  it.each<[string, Provider[]]>([
    ['another class', [{ provide: AdminTools, useClass: RealAdminTools }]],
    ['what a factory makes', [{ provide: AdminTools, useFactory: () => new RealAdminTools() }]],
    [
      'what a factory makes later',
      [{ provide: AdminTools, useFactory: () => Promise.resolve(new RealAdminTools()) }],
    ],
    ['a value', [{ provide: AdminTools, useValue: new RealAdminTools() }]],
    ['another provider', [RealAdminTools, { provide: AdminTools, useExisting: RealAdminTools }]],
    [
      'another provider, over another alias',
      [
        { provide: AdminTools, useExisting: 'ALIAS' },
        { provide: 'ALIAS', useExisting: forwardRef(() => 'REAL') },
        { provide: 'REAL', useClass: RealAdminTools },
      ],
    ],
  ])('belong to that server alone where %s stands for it (MOD-05)', async (_, providers) => {
    @Module({ imports: [assignTo('admin', AdminTools)], providers })
    class AdminModule {}
    expect(await readOffers(await bootApp({ imports: [...SERVERS, AdminModule] }))).toEqual(OF_THE_ADMIN);
  });

  it.each<[string, (builder: TestingModuleBuilder) => TestingModuleBuilder]>([
    ['a class', (builder) => builder.overrideProvider(ConcreteTools).useClass(ReplacedTools)],
    ['a value', (builder) => builder.overrideProvider(ConcreteTools).useValue(new ReplacedTools())],
    [
      'a factory',
      (builder) => builder.overrideProvider(ConcreteTools).useFactory({ factory: () => new ReplacedTools() }),
    ],
  ])('belong to that server alone where a test puts %s in its place (MOD-05)', async (_, override) => {
    const imports = [...SERVERS, McpModule.forFeature({ server: 'admin', providers: [ConcreteTools] })];
    const running = await bootTestingApp({ imports, providers: [ConcreteTools], override });
    expect(await readOffers(running)).toEqual(OF_THE_ADMIN);
  });

  it('belong to the server that names their class where nothing names the token (MOD-05)', async () => {
    const imports = [...SERVERS, assignTo('admin', RealAdminTools)];
    const providers = [{ provide: AdminTools, useClass: RealAdminTools }];
    expect(await readOffers(await bootApp({ imports, providers }))).toEqual(OF_THE_ADMIN);
  });

  it('belong to the server that names the token where another one names their class (MOD-05)', async () => {
    const imports = [...SERVERS, assignTo('admin', AdminTools), assignTo('default', RealAdminTools)];
    const providers = [RealAdminTools, { provide: AdminTools, useClass: RealAdminTools }];
    expect(await readOffers(await bootApp({ imports, providers }))).toEqual({
      default: ['purge', 'purges'],
      admin: ['purge', 'purges'],
    });
  });

  it('belong to both servers where each names one of their two tokens (MOD-05)', async () => {
    const imports = [...SERVERS, assignTo('admin', AdminTools), assignTo('default', RealAdminTools)];
    const providers = [RealAdminTools, { provide: AdminTools, useExisting: RealAdminTools }];
    expect(await readOffers(await bootApp({ imports, providers }))).toEqual({
      default: ['purge', 'purges'],
      admin: ['purge', 'purges'],
    });
  });
});
