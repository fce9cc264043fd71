import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  Module,
  type INestApplication,
  type MiddlewareConsumer,
  type NestMiddleware,
  type NestModule,
  type Type,
} from '@nestjs/common';
import { McpModule, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

/** The names that parsers of bodies, and what adapters put beside them, bear. */
const NAMES = [
  'jsonParser',
  'urlencodedParser',
  'textParser',
  'rawParser',
  'query',
  'expressInit',
  'bodyParser',
  'edge',
];

const KEY = { 'x-key': 'k' };

interface Response {
  statusCode: number;
  end(text: string): void;
}

type Lock = (request: { headers: Record<string, unknown> }, response: Response, next: () => void) => void;

@Injectable()
class EchoTool {
  @Tool({ description: 'Echoes' })
  echo(): string {
    return 'echoed';
  }
}

/** Makes a middleware that lets nobody pass without the key. */
function lock(name: string): Lock {
  const middleware: Lock = (request, response, next) => {
    if (request.headers['x-key'] === 'k') return next();
    response.statusCode = 401;
    response.end('locked');
  };
  return Object.defineProperty(middleware, 'name', { value: name });
}

/** Makes a class of the same. */
function lockClass(name: string): Type<NestMiddleware> {
  const use = lock(name);
  @Injectable()
  class LockMiddleware implements NestMiddleware {
    readonly use = use;
  }
  return Object.defineProperty(LockMiddleware, 'name', { value: name });
}

describe.each(ADAPTERS)('middleware of the application with the name of a parser on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  /** Boots an application that has its middleware before init, or by Nest's `consumer.apply()`. */
  async function boot(
    configure: (app: INestApplication) => unknown,
    apply: (consumer: MiddlewareConsumer) => unknown = () => undefined,
  ): Promise<void> {
    @Module({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [EchoTool],
    })
    class AppModule implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        apply(consumer);
      }
    }
    desk = await bootApp({ adapter, module: AppModule, configure: (app) => void configure(app) });
  }

  /** Gives the status of a call, a stream and an end that are sent with these headers. */
  async function knock(headers: Record<string, string> = {}): Promise<readonly number[]> {
    const called = await perRequest(desk.url, { headers }).request('tools/call', { name: 'echo' });
    const streamed = await sendHttp(desk.url, { headers: { ...headers, accept: 'text/event-stream' } });
    const ended = await sendHttp(desk.url, { method: 'DELETE', headers });
    return [called.status, streamed.status, ended.status];
  }

  async function expectLocked(): Promise<void> {
    expect(await knock()).toEqual([401, 401, 401]);
    // Past the lock, two requests have no session to speak of.
    expect(await knock(KEY)).toEqual([200, 400, 400]);
    expect((await initialize(desk.url, { headers: KEY })).handshake.status).toBe(200);
  }

  it.each(NAMES)('has its say: %s by app.use() (FAIR-01)', async (name) => {
    await boot((app) => app.use(lock(name)));
    await expectLocked();
  });

  it.each(NAMES)('has its say: %s by app.use() on the path alone (FAIR-01)', async (name) => {
    await boot((app) => app.use('/mcp', lock(name)));
    await expectLocked();
  });

  it.each(NAMES)('has its say: %s by consumer.apply() (FAIR-01)', async (name) => {
    await boot(
      () => undefined,
      (consumer) => consumer.apply(lock(name)).forRoutes('{*path}'),
    );
    await expectLocked();
  });

  it.each(NAMES)('has its say: a class %s by consumer.apply() (FAIR-01)', async (name) => {
    await boot(
      () => undefined,
      (consumer) => consumer.apply(lockClass(name)).forRoutes('mcp'),
    );
    await expectLocked();
  });
});
