import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  type DynamicModule,
  type INestApplicationContext,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  getMcpClientToken,
  InjectMcpClient,
  McpClient,
  McpClientHealthIndicator,
  McpClientModule,
  McpClients,
  McpElicitation,
  type McpClientOptions,
  type McpClientOptionsFactory,
} from 'nestjs-mcp/client-module';
import { bootShop, Shop } from './shop.app.js';

const URL_OF_DESK = 'http://127.0.0.1:9/mcp';

let app: INestApplicationContext | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function boot(imports: (DynamicModule | Type)[], providers: Type[] = []) {
  const root = { module: class RootModule {}, imports, providers };
  app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  return app;
}

@Injectable()
class Overview {
  constructor(
    @InjectMcpClient('desk') readonly desk: McpClient,
    @InjectMcpClient('files') readonly files: McpClient,
  ) {}
}

@Injectable()
class DeskAddress implements McpClientOptionsFactory {
  createMcpClientOptions(): McpClientOptions {
    return { url: URL_OF_DESK };
  }
}

@Module({ providers: [DeskAddress], exports: [DeskAddress] })
class AddressModule {}

@Module({ providers: [Overview], exports: [Overview] })
class FeatureModule {}

const FILES = { name: 'files', command: 'some-server' };

describe('McpClientModule.forRoot', () => {
  it('gives clients to providers of every module by their names, connecting none (CLI-18)', async () => {
    const clients = McpClientModule.forRoot([{ name: 'desk', url: URL_OF_DESK }, FILES]);
    const { desk, files } = (await boot([clients, FeatureModule])).get(Overview);
    expect([desk.name, files.name]).toEqual(['desk', 'files']);
    expect([desk.state, files.state]).toEqual(['idle', 'idle']);
  });

  it('may be imported several times (CLI-18)', async () => {
    const desk = McpClientModule.forRoot([{ name: 'desk', url: URL_OF_DESK }]);
    await boot([desk, McpClientModule.forRoot([FILES]), FeatureModule]);
    expect(app?.get(McpClients).names).toEqual(['desk', 'files']);
    expect(app?.get(McpClients).get('desk')).toBe(app?.get(Overview).desk);
  });

  it('refuses a name that another import has (CLI-18)', async () => {
    const twice = [1, 2].map((n) => McpClientModule.forRoot([{ name: 'desk', url: `${URL_OF_DESK}/${n}` }]));
    await expect(boot(twice)).rejects.toThrow('"clients.desk" is registered twice');
  });

  it.each<[string, unknown]>([
    ['"clients" must be an array', { name: 'desk' }],
    ['"clients[0]" must be an object', [null]],
    ['"clients[0].name" must be a non-empty string', [{ url: URL_OF_DESK }]],
    ['"clients[1].name" is already taken', [FILES, FILES]],
    ['"clients[1].url" is required', [FILES, { name: 'desk' }]],
    [
      '"clients[0].uri" (did you mean "clients[0].url"?) is not a known option',
      [{ name: 'desk', uri: URL_OF_DESK }],
    ],
    [
      '"clients[0].url" must not contain a user',
      [{ name: 'desk', url: 'https://me:secret@desk.example.com/mcp' }],
    ],
    ['"clients[0].negotiation.pin" is required', [{ ...FILES, negotiation: {} }]],
    ['"clients[0].clientInfo.version" is required', [{ ...FILES, clientInfo: { name: 'desk' } }]],
    ['"clients[0].args[0]" must be a string', [{ ...FILES, args: [1] }]],
    [
      'must be a token source, for example new StaticTokenSource("…")',
      [{ name: 'desk', url: URL_OF_DESK, auth: 'secret-token' }],
    ],
    [
      'must be a token source, for example new ClientCredentialsTokenSource({ … })',
      [{ name: 'desk', url: URL_OF_DESK, auth: { clientId: 'desk' } }],
    ],
    ['"clients[1].url" must be a URL', [FILES, { name: 'desk', url: 'desk.example.com' }]],
    ['"clients[0].command" cannot be combined with "url"', [{ ...FILES, url: URL_OF_DESK }]],
    ['"clients[0].auth" is not a known option', [{ ...FILES, auth: { token: () => 'x' } }]],
    ['"clients[0].auth" must be a token source', [{ name: 'desk', url: URL_OF_DESK, auth: 'secret-token' }]],
    ['"clients[0].reconnect.waitMs" must be a whole number', [{ ...FILES, reconnect: { waitMs: 0.5 } }]],
    ['"clients[0].reconnect.tries" is not a known option', [{ ...FILES, reconnect: { tries: 3 } }]],
    ['"clients[0].negotiation" must be', [{ ...FILES, negotiation: 'newest' }]],
    ['"clients[0].env.PORT" must be a string', [{ ...FILES, env: { PORT: 3000 } }]],
    [
      '"clients[0].exchange.scopes[1]" must be one scope, without spaces',
      [{ name: 'desk', url: URL_OF_DESK, exchange: { scopes: ['a', 1] } }],
    ],
    [
      '"clients[0].exchange.audience[1]" must be a non-empty string',
      [{ name: 'desk', url: URL_OF_DESK, exchange: { audience: ['a', ''] } }],
    ],
  ])('refuses what is wrong, and names it: %s (CLI-18)', (message, clients) => {
    const register = () => McpClientModule.forRoot(clients as never);
    expect(register).toThrow(message);
    expect(register).not.toThrow('secret-token');
  });
});

describe('McpClientModule.forRootAsync', () => {
  it.each([
    [
      'a factory',
      {
        inject: [DeskAddress],
        imports: [AddressModule],
        useFactory: (a: DeskAddress) => a.createMcpClientOptions(),
      },
    ],
    ['a class', { useClass: DeskAddress }],
    ['a class provided elsewhere', { imports: [AddressModule], useExisting: DeskAddress }],
  ])('takes options from %s (CLI-18)', async (_from, source) => {
    await boot([McpClientModule.forRootAsync([{ name: 'desk', ...source }])]);
    expect(app?.get(McpClients).get('desk').name).toBe('desk');
  });

  it('refuses options that are wrong, and names them (CLI-18)', async () => {
    const useFactory = () => ({ url: 'nowhere' });
    await expect(boot([McpClientModule.forRootAsync([{ name: 'desk', useFactory }])])).rejects.toThrow(
      '"clients.desk.url" must be a URL',
    );
  });

  it('refuses a registration without a source (CLI-18)', () => {
    expect(() => McpClientModule.forRootAsync([{ name: 'desk' }])).toThrow(
      '"clients[0].useFactory" is required',
    );
  });
});

@Injectable()
class First {
  @McpElicitation('desk')
  answer() {
    return { action: 'decline' };
  }
}

@Injectable()
class Second extends First {}

@Injectable()
class Stranger {
  @McpElicitation('kitchen')
  answer() {
    return { action: 'decline' };
  }
}

describe('Handlers of questions', () => {
  const desk = () => McpClientModule.forRoot([{ name: 'desk', url: URL_OF_DESK }]);

  it('are refused where two answer the same (CLI-18)', async () => {
    const booting = boot([desk()], [First, Second]);
    await expect(booting).rejects.toThrow(
      '"Second.answer" handles elicitation for the client "desk", but so does "First.answer"',
    );
  });

  it('are refused where they answer for a client that there is not (CLI-18)', async () => {
    await expect(boot([desk()], [Stranger])).rejects.toThrow(
      'the client "kitchen", which is not one of "desk"',
    );
  });
});

@Injectable()
class Porter {
  constructor(clients: McpClients) {
    clients.register('kitchen', { url: URL_OF_DESK });
  }
}

describe('Handlers of questions, where the client is another than that of its registration', () => {
  const useFactory = () => ({ url: URL_OF_DESK });

  it.each([
    ['forRoot', () => McpClientModule.forRoot([{ name: 'desk', url: URL_OF_DESK }, FILES])],
    ['forRootAsync', () => McpClientModule.forRootAsync([{ name: 'desk', useFactory }])],
  ])('are taken where a test puts something in its place: %s (CLI-18)', async (_how, register) => {
    const desk = { callTool: () => Promise.resolve({ content: [] }) };
    const testing = Test.createTestingModule({ imports: [register()], providers: [First] })
      .overrideProvider(getMcpClientToken('desk'))
      .useValue(desk);
    app = await (await testing.compile()).init();
    expect(app.get(getMcpClientToken('desk'))).toBe(desk);
    expect(app.get(McpClients).names).not.toContain('desk');
  });

  it('are taken where a provider registers it (CLI-18)', async () => {
    const desk = McpClientModule.forRoot([{ name: 'desk', url: URL_OF_DESK }]);
    await boot([desk], [Stranger, Porter]);
    expect(app?.get(McpClients).names).toEqual(['desk', 'kitchen']);
  });
});

describe('Providers that answer nothing', () => {
  it('may be known by symbols, and be instances of classes that are no providers (CLI-18)', async () => {
    const clock = { provide: Symbol('clock'), useValue: new Date() };
    const clients = McpClientModule.forRoot([{ name: 'desk', url: URL_OF_DESK }]);
    await boot([{ module: class ClockModule {}, providers: [clock] }, clients]);
    expect(app?.get(McpClients).names).toEqual(['desk']);
  });
});

describe('A client that is to connect on start', () => {
  it('is connected when the application serves (CLI-18)', async () => {
    const server = await bootShop();
    await boot([McpClientModule.forRoot([{ name: 'shop', url: server.url, connectOnStart: true }])]);
    expect(app?.get(McpClients).get('shop').state).toBe('connected');
    await app?.close();
    await server.close();
  });

  it('keeps the application from starting where its server is not there (CLI-18)', async () => {
    // Nobody else can have the port of this one, which lets nobody in.
    const closed = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    const reconnect = { initialDelayMs: 10, maxDelayMs: 10, waitMs: 100 };
    const shop = { name: 'shop', url: `http://127.0.0.1:${port}/mcp`, connectOnStart: true, reconnect };
    await expect(boot([McpClientModule.forRoot([shop])])).rejects.toMatchObject({
      code: 'client_unavailable',
    });
    closed.close();
  });
});

describe('McpClientHealthIndicator', () => {
  it('tells whether the server of a client answers, as Terminus wants to know it (CLI-18)', async () => {
    const server = await bootShop();
    const reconnect = { initialDelayMs: 10, maxDelayMs: 10, maxAttempts: 2 };
    await boot([McpClientModule.forRoot([{ name: 'shop', url: server.url, reconnect }])]);
    const health = app?.get(McpClientHealthIndicator);
    expect(server.app.get(Shop).seen).toEqual([]);
    await expect(health?.pingCheck('shop')).resolves.toEqual({ shop: { status: 'up', state: 'connected' } });
    await server.close();
    await expect(health?.pingCheck('till', { client: 'shop', timeoutMs: 200 })).resolves.toMatchObject({
      till: { status: 'down', message: 'The server did not respond within 200 ms' },
    });
  });
});
