import { describe, expect, it } from '@jest/globals';
import {
  forwardRef,
  Inject,
  Injectable,
  Module,
  Optional,
  Scope,
  type Provider,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  getNotifierToken,
  InjectNotifier,
  McpCatalog,
  McpModule,
  McpNotifier,
  McpTasks,
  type McpOptions,
  type McpOptionsFactory,
} from 'nestjs-mcp';
import { bootApp, bootTestingApp } from '../../support/applications/boot.js';
import { bootFailure } from '../../support/applications/boot-failure.js';

const OPTIONS: McpOptions = { serverInfo: { name: 'desk', version: '1.0.0' } };

/** A server whose options wait for the first of some providers. */
function serveBy(token: Type | string, providers: Provider[], server = 'default', mcpPath = '/mcp') {
  @Module({ providers, exports: [token] })
  class TokensModule {}
  return McpModule.forRootAsync({
    server,
    imports: [TokensModule],
    inject: [token],
    useFactory: () => ({ ...OPTIONS, mcpPath }),
  });
}

@Injectable()
class ByConstructor {
  constructor(readonly notifier: McpNotifier) {}
}

@Injectable()
class WithoutIfNeedBe {
  constructor(@Optional() readonly notifier?: McpNotifier) {}
}

@Injectable()
class ByProperty {
  @Inject(McpNotifier)
  readonly notifier!: McpNotifier;
}

@Injectable()
class ByPropertyIfNeedBe {
  @Optional()
  @InjectNotifier()
  readonly notifier?: McpNotifier;
}

@Injectable()
class ByNoKey {
  constructor(@InjectNotifier() readonly notifier: McpNotifier) {}
}

@Injectable()
class ByKey {
  constructor(@InjectNotifier('default') readonly notifier: McpNotifier) {}
}

@Injectable({ scope: Scope.TRANSIENT })
class Transient {
  constructor(readonly notifier: McpNotifier) {}
}

@Injectable()
class Audit {
  constructor(readonly inner: ByConstructor) {}
}

@Injectable()
class LaterTold {
  constructor(@Inject(forwardRef(() => McpNotifier)) readonly notifier: McpNotifier) {}
}

@Injectable()
class OnDemand {
  constructor(private readonly moduleRef: ModuleRef) {}

  get notifier(): McpNotifier {
    return this.moduleRef.get(McpNotifier, { strict: false });
  }
}

@Injectable()
class OwnOptions implements McpOptionsFactory {
  constructor(readonly tasks: McpTasks) {}

  createMcpOptions(): McpOptions {
    return OPTIONS;
  }
}

const FACTORY = { provide: 'FACTORY', useFactory: () => ({}), inject: [McpNotifier] };
const IF_NEED_BE = {
  provide: 'FACTORY',
  useFactory: () => ({}),
  inject: [{ token: McpNotifier, optional: true }],
};
const ALIAS = { provide: 'ALIAS', useExisting: ByConstructor };

/** Where nothing but Nest's own injection is in the cycle, Nest 12 may be the first to notice. */
const NOTICED = /^"\w+" injects "\w+" of the server "default"|^A circular dependency/;

describe('Options that wait for what injects a service of their own server', () => {
  it.each<[string, Type | string, Provider[]]>([
    ['ByConstructor', ByConstructor, [ByConstructor]],
    ['WithoutIfNeedBe', WithoutIfNeedBe, [WithoutIfNeedBe]],
    ['ByProperty', ByProperty, [ByProperty]],
    ['ByPropertyIfNeedBe', ByPropertyIfNeedBe, [ByPropertyIfNeedBe]],
    ['ByNoKey', ByNoKey, [ByNoKey]],
    ['Transient', Transient, [Transient]],
    ['FACTORY', 'FACTORY', [FACTORY]],
    ['FACTORY', 'FACTORY', [IF_NEED_BE]],
    ['ByConstructor', Audit, [Audit, ByConstructor]],
    ['ByConstructor', 'ALIAS', [ALIAS, ByConstructor]],
  ])('keep the application from starting, which names %s (MOD-02) (MOD-11)', async (name, ...given) => {
    const { message } = await bootFailure({ imports: [serveBy(...given)] });
    expect(message).toBe(
      `"${name}" injects "McpNotifier" of the server "default", but the options of that server depend on this class: ` +
        'inject "ModuleRef" instead, and call "moduleRef.get(McpNotifier, { strict: false })" when it is used',
    );
  });

  it('keep it from starting where the service is injected by the key of the server (MOD-02) (MOD-11)', async () => {
    const { message } = await bootFailure({ imports: [serveBy(ByKey, [ByKey])] });
    expect(message).toMatch(NOTICED);
  });

  it('keep it from starting where a class that makes them injects the service (MOD-02) (MOD-11)', async () => {
    const { message } = await bootFailure({ imports: [McpModule.forRootAsync({ useClass: OwnOptions })] });
    expect(message).toMatch(NOTICED);
  });

  it('keep it from starting where the server is one of several (MOD-02) (MOD-05) (MOD-11)', async () => {
    const other = McpModule.forRoot({ ...OPTIONS, server: 'admin', mcpPath: '/admin' });
    const { message } = await bootFailure({ imports: [other, serveBy(Audit, [Audit, ByConstructor])] });
    expect(message).toContain('"ByConstructor" injects "McpNotifier" of the server "default"');
  });
});

describe('Options that wait for something else', () => {
  it('may come late while others wait for what their server has (MOD-02)', async () => {
    const slow = McpModule.forRootAsync({
      useFactory: async () => {
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return OPTIONS;
      },
    });
    const { app, close } = await bootApp({ imports: [slow], providers: [ByConstructor, ByProperty, Audit] });
    expect(app.get(ByConstructor).notifier).toBeInstanceOf(McpNotifier);
    expect(app.get(ByProperty).notifier).toBe(app.get(ByConstructor).notifier);
    await close();
  });

  it('may come from a module of which another provider injects a service (MOD-02)', async () => {
    @Injectable()
    class Settings {}
    const imports = [serveBy(Settings, [Settings, ByConstructor])];
    const { app, close } = await bootApp({ imports });
    expect(app.get(ByConstructor, { strict: false }).notifier).toBeInstanceOf(McpNotifier);
    await close();
  });

  it('may wait for what injects a service of another server (MOD-02) (MOD-05)', async () => {
    const desk = McpModule.forRoot({ ...OPTIONS, isDefault: true, mcpPath: '/desk' });
    const imports = [desk, serveBy(ByConstructor, [ByConstructor], 'admin', '/admin')];
    const { app, close } = await bootApp({ imports });
    const desks: unknown = app.get(getNotifierToken('default'), { strict: false });
    expect(app.get(ByConstructor, { strict: false }).notifier).toBe(desks);
    await close();
  });

  it('may wait for what injects a service that is made without them (MOD-02)', async () => {
    @Injectable()
    class Additions {
      constructor(readonly catalog: McpCatalog) {}
    }
    const { app, close } = await bootApp({ imports: [serveBy(Additions, [Additions])] });
    expect(app.get(Additions, { strict: false }).catalog).toBeInstanceOf(McpCatalog);
    await close();
  });

  it('may wait for what a test puts in the place of the service (MOD-01) (MOD-02)', async () => {
    const silent = { resourceUpdated: () => undefined };
    const { app, close } = await bootTestingApp({
      imports: [serveBy(ByConstructor, [ByConstructor])],
      override: (builder) => builder.overrideProvider(McpNotifier).useValue(silent),
    });
    expect(app.get(ByConstructor, { strict: false }).notifier).toBe(silent);
    await close();
  });

  it('may wait for what is given the service later (MOD-02)', async () => {
    const { app, close } = await bootApp({ imports: [serveBy(LaterTold, [LaterTold])] });
    expect(app.get(LaterTold, { strict: false }).notifier).toBeInstanceOf(McpNotifier);
    await close();
  });

  it.each([
    ['alone', []],
    ['one of several', [McpModule.forRoot({ ...OPTIONS, server: 'admin', mcpPath: '/admin' })]],
  ])(
    'may wait for what takes the service when it is used, of a server that is %s (MOD-02)',
    async (_, others) => {
      const imports = [...others, serveBy(OnDemand, [OnDemand])];
      const { app, close } = await bootApp({ imports });
      const own: unknown = app.get(getNotifierToken('default'), { strict: false });
      expect(app.get(OnDemand, { strict: false }).notifier).toBe(own);
      await close();
    },
  );
});
