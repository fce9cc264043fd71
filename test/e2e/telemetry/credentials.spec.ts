import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Logger } from '@nestjs/common';
import { ResourceTemplate, McpAudit, type AuditEvent, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';
import { CapturedLog } from '../../unit/support/captured-log.js';

const USER = 'db://admin:hunter2@prod/app';
const SIGNED =
  'db://prod/app?X-Amz-Credential=hunter2&X-Amz-Security-Token=hunter2&X-Amz-Signature=hunter2&page=1';

@Injectable()
class Databases {
  @ResourceTemplate({ uriTemplate: 'db://{+path}' })
  read(): never {
    throw new Error(`connect ECONNREFUSED redis://:hunter2@cache:6379/?token=hunter2`);
  }
}

describe.each(ADAPTERS)('Credentials in URIs on %s', (adapter) => {
  let app: RunningApp;
  let traces: RecordedTraces;
  let log: CapturedLog;
  let events: AuditEvent[];

  beforeEach(() => {
    traces = new RecordedTraces();
    events = [];
  });

  afterEach(async () => {
    await app.close();
    Logger.overrideLogger(['fatal']);
  });

  async function boot(options: Partial<McpOptions> = {}): Promise<void> {
    const { telemetry, ...rest } = options;
    app = await bootServer({
      adapter,
      providers: [Databases],
      options: { ...rest, telemetry: { tracerProvider: traces.provider, ...telemetry } },
    });
    app.app.get(McpAudit).events$.subscribe((event) => events.push(event));
    log = CapturedLog.begin();
  }

  async function use(): Promise<string> {
    const session = await initialize(app.url);
    for (const uri of [USER, SIGNED]) {
      await session.request('resources/read', { uri });
      await session.request('resources/subscribe', { uri });
      await session.request('resources/unsubscribe', { uri });
      await session.request('completion/complete', {
        ref: { type: 'ref/resource', uri },
        argument: { name: 'path', value: '' },
      });
      await session.request('tools/call', { name: uri });
      await session.request('prompts/get', { name: uri });
      await session.request(uri);
      await session.notify(uri);
      await session.request('ping', {}, { id: uri });
      await perRequest(app.url).request('resources/read', { uri });
      await perRequest(app.url).request('resources/read', { uri }, { headers: { 'mcp-name': uri } });
      const message = { jsonrpc: '2.0', id: uri, method: 'resources/read', params: { uri } };
      await post(app.url, message, { 'mcp-session-id': 'unknown' });
      await post(app.url, message, { origin: uri });
    }
    const recorded = traces.spans.map(({ name, attributes, status, events: noted }) => [
      name,
      attributes,
      status,
      noted,
    ]);
    return JSON.stringify([recorded, events, log]);
  }

  it('reach no span, log line, incident and event of the audit (OPS-07)', async () => {
    await boot();
    const recorded = await use();
    expect(recorded).not.toContain('hunter2');
    expect(recorded).toContain('db://REDACTED@prod/app');
    expect(recorded).toContain('X-Amz-Signature=REDACTED&page=1');
    expect(log.errors).toContainEqual(expect.stringContaining('redis://REDACTED@cache:6379/?token=REDACTED'));
    expect(log.errors).toContainEqual(expect.stringContaining('target="db://REDACTED@prod/app"'));
  });

  it('are hidden in what redactors get, too (OPS-07)', async () => {
    const given: unknown[] = [];
    const redact = (value: unknown, subject: object): unknown => {
      given.push(value, subject);
      return value;
    };
    await boot({ audit: { redact }, telemetry: { redact, captureArguments: true } });
    const recorded = await use();
    expect(recorded).not.toContain('hunter2');
    expect(given).toContainEqual({ uri: 'db://REDACTED@prod/app' });
    expect(JSON.stringify(given)).not.toContain('hunter2');
  });

  it('may be hidden further by the application (OPS-07)', async () => {
    const redact = (value: unknown, { kind }: { kind: string }): unknown =>
      kind === 'target' ? String(value).replace('prod', '***') : undefined;
    await boot({ audit: { redact }, telemetry: { redact } });
    await perRequest(app.url).request('resources/read', { uri: USER });
    const span = await traces.span('resources/read');
    expect(span.attributes['mcp.resource.uri']).toBe('db://REDACTED@***/app');
    expect(events.at(-1)).toMatchObject({ method: 'resources/read', target: 'db://REDACTED@***/app' });
  });

  it.each<[string, () => unknown]>([
    ['returns nothing', () => undefined],
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('leave no target if the redactor %s (OPS-07)', async (_how, redact) => {
    await boot({ audit: { redact }, telemetry: { redact } });
    await perRequest(app.url).request('resources/read', { uri: USER });
    expect((await traces.span('resources/read')).attributes).not.toHaveProperty(['mcp.resource.uri']);
    expect(events.at(-1)).toMatchObject({
      method: 'resources/read',
      target: undefined,
      arguments: undefined,
    });
  });

  it('leaves the call as it is, whatever a redactor does with its value (OPS-03)', async () => {
    const redact = (value: unknown): unknown => {
      if (typeof value === 'object') delete (value as { uri?: string }).uri;
      return value;
    };
    await boot({ audit: { redact }, telemetry: { redact, captureArguments: true, captureResults: true } });
    const { response } = await perRequest(app.url).request('resources/read', { uri: 'db://x' });
    // The handler was reached, and failed.
    expect(JSON.stringify(response)).toContain('Internal error (incident');
    expect(events.at(-1)?.arguments).toEqual({});
  });
});
