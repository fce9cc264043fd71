import { describe, expect, it } from '@jest/globals';
import { Inject, Injectable, Module, Optional, type DynamicModule } from '@nestjs/common';
import {
  getCatalogToken,
  getNotifierToken,
  InjectCatalog,
  InjectNotifier,
  McpCatalog,
  McpModule,
  McpNotifier,
} from 'nestjs-mcp';
import { ADAPTERS, bootApp, bootTestingApp, type AdapterName } from '../../support/applications/boot.js';
import { bootFailure } from '../../support/applications/boot-failure.js';

@Injectable()
class ByClass {
  constructor(
    readonly catalog: McpCatalog,
    readonly notifier: McpNotifier,
  ) {}
}

@Injectable()
class ByNoKey {
  constructor(
    @InjectCatalog() readonly catalog: McpCatalog,
    @InjectNotifier() readonly notifier: McpNotifier,
  ) {}
}

function serve(server?: string, extras: { isDefault?: boolean; isGlobal?: boolean } = {}): DynamicModule {
  const name = server ?? 'default';
  return McpModule.forRoot({
    serverInfo: { name, version: '1.0.0' },
    mcpPath: `/${name}`,
    ...(server !== undefined && { server }),
    ...extras,
  });
}

/** Starts an application and gives the key of the server that services get without naming one. */
async function findInjected(adapter: AdapterName, imports: DynamicModule[], keys: string[]) {
  const { app, close } = await bootApp({ adapter, imports, providers: [ByClass, ByNoKey] });
  const [byClass, byNoKey] = [app.get(ByClass), app.get(ByNoKey)];
  expect(byNoKey.catalog).toBe(byClass.catalog);
  expect(byNoKey.notifier).toBe(byClass.notifier);
  expect(app.get(McpCatalog)).toBe(byClass.catalog);
  const found = keys.filter((key) => {
    const isCatalog = app.get<unknown>(getCatalogToken(key), { strict: false }) === byClass.catalog;
    const isNotifier = app.get<unknown>(getNotifierToken(key), { strict: false }) === byClass.notifier;
    expect(isNotifier).toBe(isCatalog);
    return isCatalog;
  });
  await close();
  return found;
}

describe.each(ADAPTERS)('What a service gets that names no server, on %s', (adapter) => {
  it("is the only server's, whatever its key (MOD-05)", async () => {
    expect(await findInjected(adapter, [serve('desk')], ['desk'])).toEqual(['desk']);
  });

  it.each([
    ['first', [serve(), serve('admin')]],
    ['last', [serve('admin'), serve()]],
  ])('is that of the server without a key, which is imported %s (MOD-05)', async (_, imports) => {
    expect(await findInjected(adapter, imports, ['default', 'admin'])).toEqual(['default']);
  });

  it.each([
    ['first', [serve('admin', { isDefault: true }), serve()]],
    ['last', [serve(), serve('admin', { isDefault: true })]],
  ])("is the marked server's, which is imported %s (MOD-05)", async (_, imports) => {
    expect(await findInjected(adapter, imports, ['default', 'admin'])).toEqual(['admin']);
  });

  it('is there in the modules that import a server which is not global (MOD-05)', async () => {
    const desk = serve('desk', { isGlobal: false });
    @Module({ imports: [desk], providers: [ByClass] })
    class FeatureModule {}
    const { app, close } = await bootApp({ adapter, imports: [desk, FeatureModule], providers: [ByNoKey] });
    expect(app.get(ByClass, { strict: false }).catalog).toBe(app.get(ByNoKey).catalog);
    await close();
  });

  it('is what a test puts in its place (MOD-01)', async () => {
    const silent = { resourceUpdated: () => undefined };
    const { app, close } = await bootTestingApp({
      adapter,
      imports: [serve('desk')],
      providers: [ByClass, ByNoKey],
      override: (builder) => builder.overrideProvider(McpNotifier).useValue(silent),
    });
    expect([app.get(ByClass).notifier, app.get(ByNoKey).notifier]).toEqual([silent, silent]);
    await close();
  });
});

describe.each(ADAPTERS)('Several servers of which none is the default, on %s', (adapter) => {
  const servers = [serve('desk'), serve('admin')];

  @Injectable()
  class ByProperty {
    @InjectNotifier()
    readonly notifier?: McpNotifier;
  }

  @Injectable()
  class WithoutIfNeedBe {
    constructor(@Optional() @Inject(McpCatalog) readonly catalog?: McpCatalog) {}
  }

  const FACTORY = { provide: 'FACTORY', useFactory: () => 'made', inject: [McpCatalog] };

  it.each([
    ['ByClass', 'McpCatalog', ByClass],
    ['ByNoKey', 'McpCatalog', ByNoKey],
    ['ByProperty', 'McpNotifier', ByProperty],
    ['FACTORY', 'McpCatalog', FACTORY],
  ])('keep from starting %s, which injects %s (MOD-05) (MOD-11)', async (name, injected, provider) => {
    const { message } = await bootFailure({ adapter, imports: servers, providers: [provider] });
    expect(message).toContain(`"${name}" injects "${injected}"`);
    expect(message).toContain('"desk", "admin"');
    expect(message).toContain('"isDefault: true"');
  });

  it('start with services that name a server, or can do without (MOD-05)', async () => {
    const { app, close } = await bootApp({ adapter, imports: servers, providers: [WithoutIfNeedBe] });
    expect(app.get(WithoutIfNeedBe).catalog).toBeUndefined();
    await close();
  });

  it('do not start where several are marked (MOD-05) (MOD-11)', async () => {
    const imports = [serve('desk', { isDefault: true }), serve('admin', { isDefault: true })];
    const { message } = await bootFailure({ adapter, imports });
    expect(message).toContain('"desk", "admin"');
    expect(message).toContain('mark only one of them');
  });
});
