import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  RequestTimeoutException,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { McpCatalog, Tool, type McpContext } from 'nestjs-mcp';
import { finalize, mergeMap, race, Subject, throwError } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Gate } from '../../support/applications/gate.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';

/** Waits for a handler as long as its patience lasts, as one with `timeout()` does. */
class ImpatientInterceptor implements NestInterceptor {
  readonly #outOfPatience = new Subject<void>();
  waiting = 0;

  losePatience(): void {
    this.#outOfPatience.next();
  }

  intercept(_: ExecutionContext, next: CallHandler) {
    this.waiting += 1;
    const timedOut$ = this.#outOfPatience.pipe(
      mergeMap(() => throwError(() => new RequestTimeoutException())),
    );
    return race(next.handle(), timedOut$).pipe(finalize(() => (this.waiting -= 1)));
  }
}

let gate: Gate;

@Injectable()
class ReportTools {
  @Tool({ description: 'Writes a report, and tells how far it is' })
  async report(_arguments: object, context: McpContext): Promise<string> {
    context.progress(1, 2);
    await gate.pass(context.signal);
    context.progress(2, 2);
    return 'written';
  }

  @Tool({ description: 'Writes a report in silence' })
  async reportSilently(_arguments: object, context: McpContext): Promise<string> {
    await gate.pass(context.signal);
    return 'written';
  }
}

describe.each(ADAPTERS)('A global interceptor that does not wait for long, on %s', (adapter) => {
  let running: RunningApp;
  let interceptor: ImpatientInterceptor;

  beforeEach(async () => {
    gate = new Gate();
    interceptor = new ImpatientInterceptor();
    running = await bootServer({
      adapter,
      providers: [ReportTools],
      configure: (app) => void app.useGlobalInterceptors(interceptor),
    });
  });

  afterEach(async () => {
    gate.open();
    await running.close();
  });

  const isWaitedFor = (count: number) => until(() => interceptor.waiting === count, `${count} waiting`);

  it('does not end a subscription (MOD-09)', async () => {
    const stream = await perRequest(running.url).listen({ toolsListChanged: true });
    await isWaitedFor(0);
    interceptor.losePatience();
    running.app.get(McpCatalog).tools.add({ name: 'extra' }, () => 'extra');
    await stream.nextNotification('notifications/tools/list_changed');
    expect(stream.isEnded).toBe(false);
    await stream.close();
  });

  it.each(['in a session', 'without one'])('does not end the stream of a call %s (MOD-09)', async (way) => {
    const client = way === 'without one' ? perRequest(running.url) : await initialize(running.url);
    const stream = await client
      .start('tools/call', { name: 'report', _meta: { progressToken: 'r' } })
      .stream();
    await stream.nextNotification('notifications/progress');
    await isWaitedFor(0);
    interceptor.losePatience();
    gate.open();
    await stream.ended;
    expect(stream.messages.at(-1)?.result).toMatchObject({ content: [{ text: 'written' }] });
  });

  it('has its own answer where there is none yet (MOD-09)', async () => {
    const call = perRequest(running.url).start('tools/call', { name: 'reportSilently' });
    await gate.reached();
    await isWaitedFor(1);
    interceptor.losePatience();
    expect((await call.answer()).status).toBe(408);
    gate.open();
    expect((await perRequest(running.url).request('tools/list')).status).toBe(200);
  });
});
