import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplication } from '@nestjs/common';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import express, { json, type RequestHandler } from 'express';
import { McpModule, Tool } from 'nestjs-mcp';
import {
  bootApp,
  bootTestingApp,
  type AppOptions,
  type RunningApp,
} from '../../support/applications/boot.js';
import { WAY_TO_THE_EDGE, watchLayers } from '../../support/applications/express-layers.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

@Injectable()
class EchoTool {
  @Tool({ description: 'Echoes' })
  echo(): string {
    return 'echoed';
  }
}

/** Lets nobody pass without a key, under the name of a parser. */
const jsonParser: RequestHandler = (request, response, next) => {
  if (request.headers['x-key'] === 'k') next();
  else response.status(401).end();
};

describe("what the endpoint's requests pass by on Express", () => {
  const open: RunningApp[] = [];

  afterEach(async () => {
    for (const app of open.splice(0)) await app.close();
  });

  async function boot(
    options: Partial<AppOptions> & { boot?: typeof bootApp; mcpPath?: string } = {},
  ): Promise<RunningApp> {
    const { boot: start = bootApp, mcpPath = '/mcp', ...more } = options;
    const desk = await start({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, mcpPath })],
      providers: [EchoTool],
      path: mcpPath,
      ...more,
    });
    open.push(desk);
    return desk;
  }

  async function call({ url }: RunningApp, headers: Record<string, string> = {}): Promise<number> {
    return (await perRequest(url, { headers }).request('tools/call', { name: 'echo' })).status;
  }

  /** Gives the layers that Express asks about a call, once the endpoint knows its way. */
  async function listAsked(desk: RunningApp): Promise<readonly string[]> {
    expect(await call(desk)).toBe(200);
    const asked = watchLayers(desk.app);
    expect(await call(desk)).toBe(200);
    return asked;
  }

  const SHORT: readonly [string, Parameters<typeof boot>[0]][] = [
    ["Nest's parsers", {}],
    ["Nest's parsers of raw bodies", { nest: { rawBody: true } }],
    ['no parsers', { nest: { bodyParser: false } }],
    ["Nest's parsers in a testing module", { boot: bootTestingApp }],
    ['parsers that the application has from Nest', { configure: useNestsParsers }],
    [
      'parsers that the application has from Nest in place of the others',
      { configure: useNestsParsers, nest: { bodyParser: false } },
    ],
    [
      'the parsers of a class that derives from the adapter',
      { adapter: new (class extends ExpressAdapter {})() },
    ],
  ];

  it.each(SHORT)('are %s', async (_, options) => {
    expect(await listAsked(await boot(options))).toEqual(WAY_TO_THE_EDGE);
  });

  it('are no parsers that the application made itself', async () => {
    const desk = await boot({ configure: (app) => void app.use(json()), nest: { bodyParser: false } });
    expect(await listAsked(desk)).toContain('jsonParser');
  });

  it('are no parsers that somebody has put a function of their own around', async () => {
    const instance = express();
    const use = instance.use.bind(instance) as (...given: unknown[]) => unknown;
    Object.assign(instance, {
      use: (...given: unknown[]) => use(...given.map((one) => (isFunction(one) ? around(one) : one))),
    });
    expect((await listAsked(await boot({ adapter: new ExpressAdapter(instance) }))).length).toBeGreaterThan(
      4,
    );
  });

  it('are no locks of an adapter that derives from the one of Nest (FAIR-01)', async () => {
    class LockingAdapter extends ExpressAdapter {
      override registerParserMiddleware(prefix?: string, rawBody?: boolean): void {
        this.use(jsonParser);
        super.registerParserMiddleware(prefix, rawBody);
      }
    }
    await expectLocked(await boot({ adapter: new LockingAdapter() }));
  });

  it('are no locks that an adapter registers with each of its middlewares (FAIR-01)', async () => {
    class LockingAdapter extends ExpressAdapter {
      override use(...given: Parameters<ExpressAdapter['use']>) {
        super.use(jsonParser);
        return super.use(...given);
      }
    }
    await expectLocked(await boot({ adapter: new LockingAdapter() }));
  });

  it('are no locks that have taken the place of a method of the adapter (FAIR-01)', async () => {
    const adapter = new ExpressAdapter();
    const register = adapter.registerParserMiddleware.bind(adapter);
    adapter.registerParserMiddleware = (...given) => {
      adapter.use(jsonParser);
      register(...given);
    };
    await expectLocked(await boot({ adapter }));
  });

  it('are no locks that Express itself was given (FAIR-01)', async () => {
    const instance = express();
    const adapter = new ExpressAdapter(instance);
    await expectLocked(await boot({ adapter, configure: () => void instance.use(jsonParser) }));
  });

  it('are no functions of Express that are no parsers, registered by the same method of Nest (FAIR-01)', async () => {
    const register = (app: INestApplication) =>
      (app as NestExpressApplication).useBodyParser('Router' as 'json');
    expect(await listAsked(await boot({ configure: (app) => void register(app) }))).toContain('router');
  });

  it('are no locks of a second application on the same Express (FAIR-01)', async () => {
    const instance = express();
    const first = await boot({ adapter: new ExpressAdapter(instance), mcpPath: '/one' });
    expect(await call(first)).toBe(200);
    instance.use(jsonParser);
    const second = new ExpressAdapter(instance);
    const desk = await boot({ adapter: second, mcpPath: '/two' });
    // The first application answers what it does not know before the second one is asked.
    expect((await sendHttp(desk.url, { json: {} })).status).toBe(404);
    expect(await call(first)).toBe(200);
  });

  async function expectLocked(desk: RunningApp): Promise<void> {
    expect([await call(desk), await call(desk, { 'x-key': 'k' })]).toEqual([401, 200]);
    // The second look is at what the first has found.
    expect([await call(desk), await call(desk, { 'x-key': 'k' })]).toEqual([401, 200]);
  }
});

function useNestsParsers(app: INestApplication): void {
  const desk = app as NestExpressApplication;
  desk.useBodyParser('json', { limit: '1mb' }).useBodyParser('urlencoded', { extended: true });
  desk.useBodyParser('text').useBodyParser('raw');
}

function isFunction(value: unknown): value is RequestHandler {
  return typeof value === 'function';
}

/** Does what tools that watch an application do. */
function around(handler: RequestHandler): RequestHandler {
  return handler.length === 4 ? handler : (request, response, next) => handler(request, response, next);
}
