import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Throttle, ThrottlerModule } from '@nestjs/throttler';
import { McpNotifier, RequireScope, Tool, ToolError } from 'nestjs-mcp';
import { findFreePort } from '../../../conformance/find-free-port.js';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { FixtureEndpoint, type Incoming } from '../../../support/fixture-endpoint.js';
import { CommandLine, runCommandLine } from '../../../support/programs/command-line.js';
import { until } from '../../../support/until.js';
import { LITTLE, MeasuredTools, readReport, runBench } from './measured-desk.js';

const readsOnly = { annotations: { readOnlyHint: true } };

@Injectable()
class LimitedTools {
  @Tool(readsOnly)
  @Throttle({ default: { limit: 2, ttl: 600_000 } })
  limited(): string {
    return 'hello';
  }
}

@Injectable()
class FailingTools {
  @Tool(readsOnly)
  fail(): string {
    throw new ToolError('The printer is on fire');
  }
}

@Injectable()
class ScopedTools {
  @Tool(readsOnly)
  @RequireScope('desk:admin')
  administer(): string {
    return 'done';
  }
}

@Injectable()
class SlowTools {
  @Tool(readsOnly)
  async slow(): Promise<string> {
    await new Promise((resolve) => setTimeout(resolve, 4000));
    return 'late';
  }
}

const LISTED = { tools: [{ name: 'read', inputSchema: { type: 'object' }, ...readsOnly }] };
const CONTENT = { content: [{ type: 'text', text: 'read' }] };

/** Serves a tool in one revision, and answers calls until something is to happen. */
function answerCalls(onCall: (incoming: Incoming, response: ServerResponse) => boolean) {
  return (incoming: Incoming, response: ServerResponse): boolean => {
    const { rpc, message } = incoming;
    if (rpc === 'server/discover') {
      response.writeHead(404).end();
      return true;
    }
    if (rpc !== 'tools/call') return false;
    if (onCall(incoming, response)) return true;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: CONTENT }));
    return true;
  };
}

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'desk', version: '1.0.0' },
};

describe('"nestjs-mcp-cli bench", of a server that', () => {
  let desk: RunningApp | undefined;
  let endpoint: FixtureEndpoint | undefined;

  afterEach(async () => {
    await desk?.close();
    await endpoint?.stop();
    desk = undefined;
    endpoint = undefined;
  });

  it('limits calls: measures everything else, says so and ends with 1 (CLI-20)', async () => {
    const imports = [ThrottlerModule.forRoot([{ ttl: 600_000, limit: 10 }])];
    desk = await bootServer({ imports, providers: [LimitedTools] });
    const ending = await runBench(desk.url, ['--json']);
    const { rows, leftOut } = readReport(ending);
    expect(ending.code).toBe(1);
    expect(rows.map(({ method }) => method)).toEqual(['tools/list', 'tools/list', 'initialize']);
    expect(leftOut[1]).toMatchObject({
      workload: expect.stringContaining('tools/call limited'),
      why: expect.stringContaining('(429): raise its rate limits for the measurement'),
    });
  });

  it('wants a token: ends with 3 without one, and measures with one (CLI-20)', async () => {
    const auth = { bearer: { token: 'token-of-the-desk', subject: 'tester' } };
    desk = await bootServer({ options: { auth }, providers: [MeasuredTools] });
    const wrong = await runBench(desk.url, ['--token', 'wrong-token']);
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('401')]);
    const environment = { DESK_TOKEN: 'token-of-the-desk' };
    const right = await runBench(desk.url, ['--token-env', 'DESK_TOKEN', '--json'], { environment });
    expect([right.code, readReport(right).rows.length]).toEqual([0, 5]);
    expect(right.stdout + right.stderr).not.toContain('token-of-the-desk');
    const header = ['--header', 'Authorization: Bearer token-of-the-desk', '--json'];
    expect((await runBench(desk.url, header)).code).toBe(0);
  });

  it('wants a scope for the tool: measures everything else (CLI-20)', async () => {
    const auth = { bearer: { token: 'token-of-the-desk', subject: 'tester', scopes: ['desk:read'] } };
    desk = await bootServer({ options: { auth }, providers: [ScopedTools] });
    const ending = await runBench(desk.url, ['--token', 'token-of-the-desk', '--json']);
    const { rows, leftOut } = readReport(ending);
    expect([ending.code, rows.length]).toEqual([1, 3]);
    expect(leftOut[0]).toMatchObject({ workload: 'tools/call administer' });
  });

  it('has a tool that fails: does not measure how it fails (CLI-20)', async () => {
    desk = await bootServer({ providers: [FailingTools] });
    const { leftOut } = readReport(await runBench(desk.url, ['--json']));
    expect(leftOut[0]).toMatchObject({
      workload: 'tools/call fail',
      why: expect.stringContaining('the tool reports an error: "The printer is on fire"'),
    });
  });

  it('has a slow tool: measures everything else (CLI-20)', async () => {
    desk = await bootServer({ providers: [SlowTools] });
    const { rows, leftOut } = readReport(await runBench(desk.url, ['--json']));
    expect(rows).toHaveLength(3);
    expect(leftOut[0]).toMatchObject({
      why: expect.stringMatching(/lasts longer than 1.5 s: allow more time with "--seconds 6"$/),
    });
  });

  it('has no stream that hears of the call: says so (CLI-20)', async () => {
    desk = await bootServer({ providers: [MeasuredTools] });
    const { leftOut } = readReport(await runBench(desk.url, ['--notify-tool', 'hours', '--json']));
    expect(leftOut).toMatchObject([{ why: "3 of 3 streams do not receive the call's notification" }]);
  });

  it('has no such tool: ends with 2 and names those that it has (CLI-20)', async () => {
    desk = await bootServer({ providers: [FailingTools] });
    const { code, stderr } = await runBench(desk.url, ['--tool', 'fial']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no tool "fial": it has "fail"')]);
    expect(desk.app.get(McpNotifier).sessions).toEqual([]);
  });

  it('stops half way: prints what was measured, and ends with 4 (CLI-20)', async () => {
    const takeOver = answerCalls(({ count }, response) => {
      if (count < 60) return false;
      response.socket?.destroy();
      return true;
    });
    endpoint = await FixtureEndpoint.start({ tools: LISTED.tools, handshake: HANDSHAKE, takeOver });
    const { code, stdout, stderr } = await runBench(endpoint.url);
    expect([code, stderr]).toEqual([
      4,
      'The server closed the connection before the response was complete\n',
    ]);
    expect(stdout).toContain('desk 1.0.0');
  });

  it('falls silent half way: goes on with what it answers, in bounded time (CLI-20)', async () => {
    const takeOver = answerCalls(({ count }) => count > 50);
    endpoint = await FixtureEndpoint.start({ tools: LISTED.tools, handshake: HANDSHAKE, takeOver });
    const ending = await runBench(endpoint.url, ['--json']);
    const { rows, leftOut } = readReport(ending);
    expect([ending.code, rows.map(({ method }) => method)]).toEqual([1, ['tools/list', 'initialize']]);
    expect(leftOut.at(-1)).toMatchObject({ why: expect.stringContaining('responses are too slow') });
  });

  it('answers by event streams: is measured (CLI-20)', async () => {
    const takeOver = answerCalls(({ message }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message['id'], result: CONTENT })}\n\n`);
      return true;
    });
    endpoint = await FixtureEndpoint.start({ tools: LISTED.tools, handshake: HANDSHAKE, takeOver });
    const { rows } = readReport(await runBench(endpoint.url, ['--json']));
    expect(rows[0]).toMatchObject({ method: 'tools/call', workload: expect.stringContaining('read') });
  });

  it('keeps no connections: is measured over new ones (CLI-20)', async () => {
    const headers = { connection: 'close' };
    const takeOver = answerCalls(() => false);
    endpoint = await FixtureEndpoint.start({ tools: LISTED.tools, handshake: HANDSHAKE, takeOver, headers });
    const { rows } = readReport(await runBench(endpoint.url, ['--json', '--seconds', '3']));
    expect(rows.map(({ method }) => method)).toContain('initialize');
  });

  it('keeps sessions: opens no thousands of them (CLI-20)', async () => {
    const answer = answerCalls(() => false);
    const ids = new Set<string>();
    endpoint = await FixtureEndpoint.start({
      tools: LISTED.tools,
      sessionId: null,
      takeOver: (incoming, response) => {
        if (incoming.method === 'DELETE') {
          response.writeHead(405).end();
          return true;
        }
        if (incoming.rpc !== 'initialize') return answer(incoming, response);
        const id = randomUUID();
        ids.add(id);
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': id });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: incoming.message['id'], result: HANDSHAKE }));
        return true;
      },
    });
    const { leftOut, notes } = readReport(await runBench(endpoint.url, ['--json']));
    expect(leftOut[0]).toMatchObject({
      workload: 'initialize',
      why: expect.stringContaining('would remain'),
    });
    expect(notes).toContainEqual(expect.stringContaining('the sessions that were opened remain'));
    expect(ids.size).toBeLessThan(10);
  });

  it('is not there, or is no server of MCP: ends with 4 (CLI-20)', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/mcp`;
    expect(await runCommandLine(['bench', url])).toMatchObject({ code: 4, stdout: '' });
    desk = await bootServer();
    const { code, stderr } = await runBench(`${desk.origin}/elsewhere`);
    expect([code, stderr]).toEqual([4, expect.stringContaining('responds to MCP clients with 404')]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'is measured until %s: ends its sessions and prints what it has (CLI-20)',
    async (signal) => {
      desk = await bootServer({ providers: [MeasuredTools] });
      const { app, url } = desk;
      const line = new CommandLine(['bench', url, ...LITTLE, '--seconds', '20']);
      await until(() => app.get(McpNotifier).sessions.length > 1, 'a session under load', 20_000);
      line.signal(signal);
      const { code, stdout, stderr } = await line.ends();
      expect([code, stderr]).toEqual([null, 'Interrupted: these are the measurements so far\n']);
      expect(stdout).toContain('tools/call hours, 2026-07-28');
      expect(app.get(McpNotifier).sessions).toEqual([]);
    },
  );
});
