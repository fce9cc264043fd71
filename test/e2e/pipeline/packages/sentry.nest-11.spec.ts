import {
  Catch,
  Injectable,
  NotFoundException,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { APP_FILTER, HttpAdapterHost } from '@nestjs/core';
import { close, flush, init, SentryExceptionCaptured, SentryTraced } from '@sentry/nestjs';
import { SentryGlobalFilter, SentryModule } from '@sentry/nestjs/setup';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import { callTool } from '../tool-text.js';

/** A catch-all filter, as Sentry's page decorates it. */
@Catch()
class CatchAllFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  @SentryExceptionCaptured()
  catch(_exception: unknown, host: ArgumentsHost): void {
    const response: unknown = host.switchToHttp().getResponse();
    this.adapterHost.httpAdapter.reply(response, { message: 'caught' }, 500);
  }
}

@Injectable()
class FailingTools {
  @Tool()
  expected() {
    throw new NotFoundException('Ticket 7 is gone');
  }

  @Tool()
  @SentryTraced('tool')
  unexpected() {
    throw new Error('the lamp is broken');
  }

  @Tool()
  @UseFilters(CatchAllFilter)
  caught() {
    throw new Error('the lamp is dark');
  }
}

const captured: (string | undefined)[] = [];

beforeAll(() => {
  init({
    dsn: 'https://key@sentry.example.com/1',
    defaultIntegrations: false,
    beforeSend: (event) => {
      captured.push(event.exception?.values?.[0]?.value);
      return null;
    },
  });
});

afterAll(() => close(0));

describe.each(ADAPTERS)('@sentry/nestjs on handlers, on %s', (adapter) => {
  let desk: RunningApp;
  const log = new RecordedLog();

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { globalEnhancers: true },
      imports: [SentryModule.forRoot()],
      providers: [FailingTools, { provide: APP_FILTER, useClass: SentryGlobalFilter }],
      nest: { logger: log },
    });
  });

  beforeEach(() => {
    captured.length = 0;
    log.clear();
  });

  afterAll(() => desk.close());

  it('hears of what nobody expected, which the log has too (NEST-04)', async () => {
    const { isError, text } = await callTool(desk.url, 'unexpected');
    expect([isError, text]).toEqual([true, 'Internal server error']);
    await flush(1000);
    expect(captured).toEqual(['the lamp is broken']);
    expect(log.text).toMatch(/the lamp is broken[\s\S]*at FailingTools/);
  });

  it('hears nothing of what is meant for the caller (NEST-04)', async () => {
    expect(await callTool(desk.url, 'expected')).toMatchObject({ isError: true, text: 'Ticket 7 is gone' });
    await flush(1000);
    expect(captured).toEqual([]);
  });

  it('hears of what another filter catches and answers (NEST-04)', async () => {
    expect(await callTool(desk.url, 'caught')).toMatchObject({ isError: true, text: 'caught' });
    await flush(1000);
    expect(captured).toEqual(['the lamp is dark']);
  });
});
