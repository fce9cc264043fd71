import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { fingerprintSession } from '../../../lib/core/protocol/fingerprints.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { AUDIENCE, TestIssuer } from '../../support/authorization/issuer.js';
import { initialize, post } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { ScopedHandlers } from './audited-desk.js';

@Injectable()
class Crashing {
  @Tool({ inputSchema: z.object({ text: z.string() }) })
  crash({ text }: { text: string }): never {
    throw new Error(`no ticket ${text}`);
  }

  /** Its stack has another message than it has. */
  @Tool({ inputSchema: z.object({ text: z.string() }) })
  rephrase({ text }: { text: string }): never {
    const failure = new Error(`no ticket ${text}`);
    // A stack is written when it is read first.
    void failure.stack;
    failure.message = 'There is no such ticket';
    throw failure;
  }
}

describe.each(ADAPTERS)('Lines of the log about calls and refusals on %s', (adapter) => {
  const log = new RecordedLog();
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    desk = await bootServer({
      adapter,
      providers: [Crashing, ScopedHandlers],
      nest: { logger: log },
      options: { auth: { resourceUri: AUDIENCE, authorizationServers: [issuer.url], jwt: {} } },
    });
  });

  beforeEach(() => log.clear());

  afterAll(() => Promise.all([desk.close(), issuer.stop()]));

  async function open(claims: Record<string, unknown>) {
    return initialize(desk.url, { headers: { authorization: `Bearer ${await issuer.token(claims)}` } });
  }

  it('name caller, session, method and target (OPS-06)', async () => {
    const session = await open({ sub: 'ada', client_id: 'cli' });
    await session.request('tools/call', { name: 'crash', arguments: { text: '7' } });
    const [line = ''] = log.find('error', 'Incident ');
    const key = fingerprintSession(session.id);
    expect(line).toContain(
      `: no ticket 7 [caller="ada" issuer="${issuer.url}" client="cli" session=${key} address=127.0.0.1 method="tools/call" target="crash"]`,
    );
    expect(log.text).not.toContain(session.id);
  });

  it('name them of a call whose token does not allow enough (OPS-06) (AUTH-19)', async () => {
    const session = await open({ sub: 'ada', scope: 'desk:read' });
    await session.request('tools/call', { name: 'close', arguments: { id: '7' } });
    const [line = ''] = log.find('debug', 'A request was rejected: its token has the scopes "desk:read"');
    expect(line).toContain('expected the scopes "desk:write" [caller="ada"');
    expect(line).toContain('method="tools/call" target="close"]');
  });

  it('say what is not known (OPS-06)', async () => {
    await post(desk.url, {}, { authorization: 'Bearer nonsense' });
    const [line = ''] = log.find('debug', 'A token was refused: ');
    expect(line).toContain('[caller=- session=- address=127.0.0.1 method=- target=-]');
    await post(desk.url, {}, { origin: 'https://evil.example' });
    expect(log.find('warn', 'A request with "https://evil.example"')[0]).toContain('[caller=- session=-');
  });

  it('cannot be forged by what a client sends (OPS-06)', async () => {
    const forged = '\r\n[Nest] 1 ERROR forged\u001b[2J\u2028 [caller="root"';
    const session = await open({ sub: `ada${forged}` });
    await session.request('tools/call', { name: 'crash', arguments: { text: forged } });
    await session.request('tools/call', { name: 'rephrase', arguments: { text: forged } });
    await post(desk.url, {}, { 'mcp-session-id': 'a] [caller="root"', authorization: 'Bearer a b' });
    const lines = log.lines.flatMap(({ text }) => text.split(/[\n\r\u2028]/));
    expect(lines.filter((line) => line.startsWith('[Nest]'))).toEqual([]);
    expect(log.text).not.toContain('\u001b');
    expect(log.text).toContain('There is no such ticket');
    const [line = ''] = log.find('error', 'Incident ');
    expect(line).toContain(String.raw`caller="ada\r\n[Nest] 1 ERROR forged\u001b[2J\u2028 [caller=\"root\""`);
  });

  it('are bounded in length (OPS-06)', async () => {
    const session = await open({ sub: 'a'.repeat(5000) });
    await session.request('tools/call', { name: 'crash', arguments: { text: 'x'.repeat(100_000) } });
    const [line = ''] = log.find('error', 'Incident ');
    expect(line.length).toBeLessThan(10_000);
  });
});
