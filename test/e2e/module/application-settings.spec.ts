import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  All,
  Controller,
  Post,
  RequestMethod,
  type INestApplication,
  type MiddlewareConsumer,
  type Type,
} from '@nestjs/common';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

describe.each(ADAPTERS)('A time-out for the sockets of the application, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  it('ends silent connections, but no stream (PLAT-02)', async () => {
    const configure = (app: INestApplication) => void app.getHttpServer().setTimeout(100);
    desk = await bootServer({ adapter, configure, providers: [WaitingTools] });
    const [session, stateless] = [await initialize(desk.url), perRequest(desk.url)];
    const streams = [await session.openStream(), await stateless.listen({ toolsListChanged: true })];
    // What came later was silent for as long.
    const silent = connect(desk.port, '127.0.0.1');
    await once(silent.resume(), 'close');
    desk.app.get(McpNotifier).log('info', 'still there');
    await streams[0]!.nextMessage(({ params }) => params?.['data'] === 'still there');
    expect(streams.map(({ isEnded }) => isEnded)).toEqual([false, false]);
    for (const stream of streams) await stream.close();
  });
});

@Controller('mcp')
class OlderController {
  @Post()
  answer(): string {
    return 'the older one';
  }
}

@Controller()
class CatchAllController {
  @All('*path')
  answer(): string {
    return 'not here';
  }
}

@Controller('other')
class OtherController {
  @Post()
  answer(): string {
    return 'other';
  }
}

describe('Routes of an Express application beside the endpoint', () => {
  async function readWarnings(parts: ServerParts): Promise<readonly string[]> {
    const log = new RecordedLog();
    const desk = await bootServer({ providers: [WaitingTools], nest: { logger: log }, ...parts });
    await desk.close();
    return log.findWarnings('POST');
  }

  it.each<[string, Type, string]>([
    ['at its path', OlderController, '"/mcp" and "/mcp"'],
    ['that take everything', CatchAllController, '"/*path" and "/mcp"'],
  ])('are named %s (PLAT-02)', async (_what, controller, routes) => {
    expect(await readWarnings({ controllers: [controller] })).toEqual([
      `POST /mcp has 2 routes: ${routes}. The route that was registered first handles requests. Remove the other controller, or choose a different "mcpPath" McpHttpTransport`,
    ]);
  });

  it('are not named elsewhere (PLAT-02)', async () => {
    expect(await readWarnings({ controllers: [OtherController] })).toEqual([]);
  });

  it.each(['*path', { path: 'mcp', method: RequestMethod.POST }])(
    'are not named if they are middleware for %j (PLAT-02)',
    async (route) => {
      class MiddlewareModule {
        configure(consumer: MiddlewareConsumer): void {
          consumer
            .apply((_request: unknown, _response: unknown, next: () => void) => next())
            .forRoutes(route);
        }
      }
      const configure = (app: INestApplication) => void app.setGlobalPrefix('api');
      expect(await readWarnings({ imports: [MiddlewareModule], configure })).toEqual([]);
    },
  );
});
