import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Logger, type LoggerService } from '@nestjs/common';
import { McpAudit, Tool, ToolError } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';

@Injectable()
class Desk {
  @Tool()
  echo(): string {
    return 'hello';
  }

  @Tool()
  crash(): never {
    throw new Error('broken');
  }

  @Tool()
  refuse(): never {
    throw new ToolError('closed');
  }

  @Tool({
    visible: () => {
      throw new Error('unknown');
    },
  })
  hidden(): string {
    return 'hidden';
  }
}

const fail = (): never => {
  throw new Error('the log is full');
};
const reject = async (): Promise<never> => fail();
const LOGGERS: Readonly<Record<string, LoggerService>> = {
  throws: { log: fail, error: fail, warn: fail, debug: fail, verbose: fail, fatal: fail },
  rejects: { log: reject, error: reject, warn: reject, debug: reject, verbose: reject, fatal: reject },
};

describe.each(ADAPTERS)('A logger of the application on %s', (adapter) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  let app: RunningApp;

  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note).on('uncaughtException', note);
  });

  afterEach(async () => {
    await app.close();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    process.off('unhandledRejection', note).off('uncaughtException', note);
    Logger.overrideLogger(['fatal']);
    if (unhandled.length > 0) throw new AggregateError(unhandled, 'Nobody handled these');
  });

  it.each(Object.keys(LOGGERS))('harms no request if it %s (OPS-06)', async (how) => {
    const auth = { resourceUri: 'https://desk.example.com/mcp', bearer: 'a-token-of-the-desk' };
    app = await bootServer({ adapter, providers: [Desk], options: { auth } });
    Logger.overrideLogger(LOGGERS[how] as LoggerService);
    app.app.get(McpAudit).events$.subscribe(() => fail());
    const headers = { authorization: 'Bearer a-token-of-the-desk' };
    const session = await initialize(app.url, { headers });
    for (const client of [session, perRequest(app.url, { headers })]) {
      const call = (name: string) => client.request('tools/call', { name });
      expect(JSON.stringify(await call('echo'))).toContain('hello');
      expect(JSON.stringify(await call('crash'))).toContain('Internal error');
      expect(JSON.stringify(await call('refuse'))).toContain('closed');
      expect(JSON.stringify(await call('hidden'))).toContain('-32602');
      expect(JSON.stringify(await client.request('tools/list'))).toContain('"echo"');
    }
    expect((await post(app.url, {})).status).toBe(401);
    expect((await post(app.url, {}, { authorization: 'Bearer nonsense' })).status).toBe(401);
    expect((await post(app.url, {}, { ...headers, origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(app.url, {}, { ...headers, host: 'evil.example' })).status).toBe(403);
    await session.delete();
  });
});
