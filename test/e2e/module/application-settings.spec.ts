import { connect } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { All, Controller, Post, type INestApplication, type Type } from '@nestjs/common';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
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
  async function readWarnings(controller: Type): Promise<readonly string[]> {
    const log = new RecordedLog();
    const desk = await bootServer({
      controllers: [controller],
      providers: [WaitingTools],
      nest: { logger: log },
    });
    await desk.close();
    return log.findWarnings('POST');
  }

  it.each<[string, Type, string]>([
    ['at its path', OlderController, '"/mcp" and "/mcp"'],
    ['that take everything', CatchAllController, '"/*path" and "/mcp"'],
  ])('are named %s (PLAT-02)', async (_what, controller, routes) => {
    expect(await readWarnings(controller)).toEqual([
      `POST /mcp has 2 routes: ${routes}. The one that was registered first answers. Remove the other controller, or choose another "mcpPath" McpHttpTransport`,
    ]);
  });

  it('are not named elsewhere (PLAT-02)', async () => {
    expect(await readWarnings(OtherController)).toEqual([]);
  });
});
