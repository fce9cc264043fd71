import { Controller, Get, UseGuards } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanStatusCode } from '@opentelemetry/api';
import { McpAuthGuard } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';
import { until } from '../../support/until.js';
import { bootDesk } from './traced-desk.js';

@Controller()
@UseGuards(McpAuthGuard)
class ReportController {
  @Get('report')
  report(): string {
    return 'quiet';
  }

  @Get('broken')
  broken(): never {
    throw new Error('out of paper');
  }
}

describe.each(ADAPTERS)('the span of a request on %s', (adapter) => {
  let traces: RecordedTraces;
  let issuer: TestIssuer;
  let desk: RunningApp | undefined;

  beforeEach(async () => {
    traces = new RecordedTraces();
    issuer = await TestIssuer.start();
  });

  afterEach(async () => {
    await desk?.close();
    await issuer.stop();
  });

  async function boot() {
    const tracing = { tracerProvider: traces.provider };
    desk = await bootDesk({ adapter, issuer, tracing, controllers: [ReportController] });
    return { desk, headers: { authorization: `Bearer ${await issuer.token()}` } };
  }

  it('ends when its client goes away while the token is checked (TRACE-02)', async () => {
    const { desk: server, headers } = await boot();
    issuer.keyEndpoint.hang();
    const call = perRequest(server.url, { headers }).start('tools/list');
    await until(() => issuer.fetches > 0, 'a fetch of keys');
    call.disconnect();
    const span = await traces.span('mcp.request');
    expect(span.attributes).toEqual({ 'mcp.auth.method': 'jwt' });
  });

  it.each([
    ['/report', 200],
    ['/broken', 500],
  ])("ends with the answer of %s, a route of the application's own (TRACE-02)", async (path, status) => {
    const { desk: server, headers } = await boot();
    expect((await sendHttp(`${server.origin}${path}`, { headers })).status).toBe(status);
    expect((await traces.span('mcp.request')).attributes).toMatchObject({
      'mcp.auth.subject': 'ada',
      'http.response.status_code': status,
    });
  });

  it("ends where a route of the application's own gets no token (TRACE-02)", async () => {
    const { desk: server } = await boot();
    expect((await sendHttp(`${server.origin}/report`)).status).toBe(401);
    const span = await traces.span('mcp.request');
    expect(span.attributes).toEqual({ 'http.response.status_code': 401 });
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
  });
});
