import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpNotifier, Resource } from 'nestjs-mcp';
import { Injectable } from '@nestjs/common';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { runCommandLine, type Ending } from '../../../support/programs/command-line.js';
import { MeasuredTools, readReport, runBench, type PrintedReport } from './measured-desk.js';

@Injectable()
class Queue {
  @Resource({ uri: 'desk://queue', name: 'queue' })
  read(): string {
    return 'empty';
  }
}

describe.each(ADAPTERS)('"nestjs-mcp-cli bench" of a server on %s', (adapter) => {
  let desk: RunningApp;
  let ending: Ending;
  let report: PrintedReport;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [MeasuredTools, Queue] });
    ending = await runBench(desk.url, ['--notify-tool', 'change', '--json']);
    report = readReport(ending);
  });

  afterAll(() => desk.close());

  it('measures calls and lists of both kinds of revision, handshakes and streams (CLI-20)', () => {
    expect([ending.code, ending.stderr]).toEqual([0, '']);
    expect(report.rows.map(({ method, revision }) => `${method} ${revision}`)).toEqual([
      'tools/call 2026-07-28',
      'tools/call 2025-11-25',
      'tools/list 2026-07-28',
      'tools/list 2025-11-25',
      'initialize 2025-11-25',
      'tools/call 2025-11-25',
    ]);
    expect(report.leftOut).toEqual([]);
  });

  it('gives throughput and latencies of the server, and ratios to the bare one (CLI-20)', () => {
    for (const { count, perSecond, p50Milliseconds, p99Milliseconds, bytes, bare, ratio } of report.rows) {
      expect(Math.min(count, perSecond, p50Milliseconds, bytes, bare.count, bare.perSecond)).toBeGreaterThan(
        0,
      );
      expect(p99Milliseconds).toBeGreaterThanOrEqual(p50Milliseconds);
      expect(ratio.time.median).toBeGreaterThan(0);
    }
  });

  it('names the server, and calls by itself no tool that may change something (CLI-20)', () => {
    expect(report.server).toBe('desk 1.0.0');
    expect(report.rows[0]?.workload).toBe('tools/call hours, 2026-07-28');
    expect(desk.app.get(MeasuredTools).ordered).toBe(0);
  });

  it('leaves no session behind (CLI-20)', () => {
    expect(desk.app.get(McpNotifier).sessions).toEqual([]);
  });

  it('prints a table for people, with what was left out and why (CLI-20)', async () => {
    const { code, stdout } = await runBench(desk.url, ['--tool', 'order']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^desk 1\.0\.0, http:\/\/127\.0\.0\.1:\d+\/mcp\nNode /);
    expect(stdout).toMatch(/^tools\/call order, 2025-11-25 in a session +[\d.,]+ .* \d+\.\d\d \[.*\]$/m);
    expect(stdout).toContain(
      'Not measured:\n  fan-out to streams: pass a tool that sends a notification to every open stream with "--notify-tool"',
    );
    expect(desk.app.get(MeasuredTools).ordered).toBeGreaterThan(0);
  });

  it('measures what streams hear of a resource that their sessions subscribed to (CLI-20)', async () => {
    const named = ['--notify-tool', 'advance', '--subscribe', 'desk://queue', '--json'];
    const { rows } = readReport(await runBench(desk.url, named));
    expect(rows.at(-1)).toMatchObject({ workload: expect.stringContaining('fan-out of tools/call advance') });
    expect(desk.app.get(McpNotifier).sessions).toEqual([]);
  });
});

describe('"nestjs-mcp-cli bench" of a server without sessions', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ options: { stateless: true }, providers: [MeasuredTools] });
  });

  afterAll(() => desk.close());

  it('measures the revisions that there are (CLI-20)', async () => {
    const report = readReport(await runBench(desk.url, ['--json']));
    expect(report.rows.length).toBeGreaterThan(1);
    expect(report.rows.map(({ workload }) => workload)).toContain('tools/call hours, 2026-07-28');
  });
});

describe('"nestjs-mcp-cli bench", called wrongly', () => {
  it.each([
    [
      ['https://shop.example.com/mcp'],
      'pass "--remote" only if you are allowed to put load on shop.example.com',
    ],
    [[], 'Missing argument: the endpoint URL'],
    [['http://127.0.0.1:1/mcp', '--seconds', '0'], '"--seconds" must be'],
  ])('ends with 2: %j (CLI-20)', async (args, message) => {
    const { code, stderr } = await runCommandLine(['bench', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('tells its usage (CLI-20)', async () => {
    const { code, stdout } = await runCommandLine(['bench', '--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('--remote')]);
  });
});
