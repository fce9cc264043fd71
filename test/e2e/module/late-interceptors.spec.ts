import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Injectable,
  type ArgumentsHost,
  type CallHandler,
  type ExecutionContext,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Tool, type McpContext } from 'nestjs-mcp';
import { map, tap } from 'rxjs';
import { Gate } from '../../support/applications/gate.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { until } from '../../support/until.js';

interface AnyResponse {
  readonly raw?: AnyResponse;
  setHeader(name: string, value: string): void;
}

let passed: number;

/** Tells how long a request took, as many applications do. */
function setHeader(context: ExecutionContext, next: CallHandler) {
  const response = context.switchToHttp().getResponse<AnyResponse>();
  return next.handle().pipe(
    tap({ finalize: () => (passed += 1) }),
    tap(() => (response.raw ?? response).setHeader('X-Response-Time', '1')),
  );
}

/** Shapes what handlers of routes give, and does not know that there may be nothing. */
function shape(_: ExecutionContext, next: CallHandler<{ items: unknown }>) {
  return next.handle().pipe(
    tap({ finalize: () => (passed += 1) }),
    map(({ items }) => ({ items })),
  );
}

/** Answers every error, as the filter on Nest's page does. */
@Catch()
class EveryErrorFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: Error, host: ArgumentsHost): void {
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), { message: error.message }, 500);
  }
}

let gate: Gate;

@Injectable()
class ReportTools {
  @Tool({ description: 'Writes a report, and tells how far it is' })
  async report(_arguments: object, context: McpContext): Promise<string> {
    context.progress(1, 2);
    await gate.pass(context.signal);
    return 'written';
  }
}

describe.each(ADAPTERS)('A global interceptor that fails once the answer streams, on %s', (adapter) => {
  let running: RunningApp;

  beforeEach(() => {
    gate = new Gate();
    passed = 0;
  });

  afterEach(async () => {
    gate.open();
    await running.close();
  });

  it.each([
    ['sets a header', setHeader, true],
    ['sets a header', setHeader, false],
    ['throws', shape, true],
    ['throws', shape, false],
  ])('leaves the stream alone if it %s (MOD-09)', async (_, intercept, hasFilter) => {
    running = await bootServer({
      adapter,
      providers: [ReportTools],
      configure: (app) => {
        app.useGlobalInterceptors({ intercept });
        if (hasFilter) app.useGlobalFilters(new EveryErrorFilter(app.get(HttpAdapterHost)));
      },
    });
    const call = perRequest(running.url).start('tools/call', {
      name: 'report',
      _meta: { progressToken: 'r' },
    });
    const stream = await call.stream();
    await stream.nextNotification('notifications/progress');
    await until(() => passed === 1, 'the interceptor has had its turn');
    gate.open();
    await stream.ended;
    expect(stream.messages.at(-1)?.result).toMatchObject({ content: [{ text: 'written' }] });
  });

  it('costs no line in the log after an answer (MOD-09)', async () => {
    const log = new RecordedLog();
    running = await bootServer({
      adapter,
      nest: { logger: log },
      providers: [ReportTools],
      configure: (app) => void app.useGlobalInterceptors({ intercept: setHeader }),
    });
    for (const count of [1, 2]) {
      await perRequest(running.url).request('tools/list');
      await until(() => passed === count, 'the interceptor has had its turn');
    }
    expect(log.find('error')).toEqual([]);
  });
});
