import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import { REVISIONS } from '../../../lib/core/protocol/revisions.js';
import { findFreePort } from '../../conformance/find-free-port.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { FixtureEndpoint, type Incoming, type Traits } from '../../support/fixture-endpoint.js';
import { runCommandLine } from '../../support/programs/command-line.js';
import { runHere } from '../../support/programs/run-here.js';

const FILE = fileURLToPath(new URL('../../../.build/test/programs/lint-app.js', import.meta.url));
const TOKEN = 'token-of-the-desk';

interface Report {
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly subject: string;
  }[];
  readonly sizes: readonly { readonly name: string }[];
  readonly isWhole: boolean;
}

@Injectable()
class Desk {
  @Tool({ name: 'find_tickets', description: 'Finds tickets by words of their text' })
  find() {
    return 'none';
  }

  @Tool({ name: 'close.ticket' })
  close() {
    return 'closed';
  }
}

const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function boot(parts: Parameters<typeof bootServer>[0]): Promise<RunningApp> {
  const desk = await bootServer(parts);
  running.push(desk);
  return desk;
}

/** Starts an endpoint without the library, which may list whatever it likes. */
async function serve(traits: Traits): Promise<FixtureEndpoint> {
  const endpoint = await FixtureEndpoint.start(traits);
  running.push({ close: () => endpoint.stop() });
  return endpoint;
}

const ABOUT = { serverInfo: { name: 'bare', version: '1' }, capabilities: { tools: {} } };
const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** Serves the newest revision, and lists tools page by page. */
function listing(list: (request: Incoming) => object): Traits {
  const takeOver = (request: Incoming, response: ServerResponse) => {
    const results: Record<string, () => object> = {
      'server/discover': () => ({ ...COMPLETE, ...ABOUT, supportedVersions: ['2026-07-28'] }),
      'tools/list': () => ({ ...COMPLETE, ...list(request) }),
    };
    const result = results[request.rpc ?? '']?.();
    if (result !== undefined) send(response, { jsonrpc: '2.0', id: request.message['id'], result });
    return result !== undefined;
  };
  return { takeOver };
}

/** Serves an older revision, and lists one tool. */
function serving(protocolVersion: string, tool: object): Traits {
  const takeOver = ({ rpc }: Incoming, response: ServerResponse) => {
    if (rpc === 'server/discover') response.writeHead(404).end();
    return rpc === 'server/discover';
  };
  return { takeOver, handshake: { ...ABOUT, protocolVersion }, tools: [tool] };
}

function send(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
}

async function judge(target: string, ...args: readonly string[]) {
  const run = target.startsWith(FILE) ? runCommandLine : runHere;
  const ending = await run(['lint', target, '--json', ...args]);
  return { ...ending, report: JSON.parse(ending.stdout) as Report };
}

const rulesOf = ({ findings }: Report) => findings.map(({ rule }) => rule);

describe('nestjs-mcp-cli lint', () => {
  it('tells people what is wrong, what to do and what the list takes, and ends with 1 (KIT-04)', async () => {
    const { url } = await boot({ providers: [Desk] });
    const { code, stdout, stderr } = await runHere(['lint', url, '--rule', 'tool-title=off']);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain(
      [
        'error    host-name',
        '  tool "close.ticket" is refused by Claude, OpenAI, Bedrock, VS Code: its name does not consist of 1 to 64 letters, digits, "_" and "-"',
        '  -> choose a "name" that matches',
        '',
        'error    tool-description',
        '  tool "close.ticket" has no description',
      ].join('\n'),
    );
    expect(stdout).toMatch(
      / tokens {2}tool\n +\d+ {2}"find_tickets"\n +\d+ {2}"close.ticket"\n +\d+ {2}in total/,
    );
    expect(stdout).toMatch(
      /errors: 2, warnings: 0, advice: \d+; https:\/\/.*\/docs\/lint\.md has a section for each rule\n$/,
    );
  });

  it('takes the severities and the bound that it is given, and ends with 0 without errors (KIT-04)', async () => {
    const { url } = await boot({ providers: [Desk] });
    const rules = ['host-name=off', 'tool-description=warning'].flatMap((rule) => ['--rule', rule]);
    const { code, report } = await judge(url, ...rules, '--max-tokens', '10');
    expect(code).toBe(0);
    expect(rulesOf(report)).toEqual(expect.arrayContaining(['tool-description', 'list-tokens']));
    expect(rulesOf(report)).not.toContain('host-name');
  });

  it('brings the token that it is given, and ends with 3 without one (KIT-04)', async () => {
    const auth = { bearer: { token: TOKEN, subject: 'tester' } };
    const { url } = await boot({ options: { auth }, providers: [Desk] });
    const refused = await runHere(['lint', url, '--header', 'Authorization: Bearer wrong']);
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    const environment = { DESK_TOKEN: TOKEN };
    const { code } = await runHere(['lint', url, '--token-env', 'DESK_TOKEN'], { environment });
    expect(code).toBe(1);
  });

  it('ends with 4 if nobody answers (KIT-04)', async () => {
    const { code, stdout } = await runHere(['lint', `http://127.0.0.1:${await findFreePort()}/mcp`]);
    expect([code, stdout]).toEqual([4, '']);
  });

  it('says so if nothing is listed (KIT-04)', async () => {
    const { url } = await boot({});
    const { code, stdout, stderr } = await runHere(['lint', url]);
    expect([code, stdout, stderr]).toEqual([0, '', 'The server lists nothing to check\n']);
  });

  it.each([
    [['lint'], 'Expected one argument'],
    [['lint', 'http://127.0.0.1/mcp', '--rule', 'tool-title'], 'must be the id of a rule, "="'],
    [['lint', 'http://127.0.0.1/mcp', '--rule', 'tool-titel=off'], 'did you mean "tool-title"?'],
    [['lint', 'http://127.0.0.1/mcp', '--max-tokens', '0'], '"--max-tokens" must be a whole number'],
    [['lint', 'http://127.0.0.1/mcp', '--server', 'staff'], '"--server" applies only to the app in a file'],
    [['lint', 'dist/app.module.js', '--token', 'x'], '"--token" applies only to the URL of a running server'],
    [['lint', 'dist/no-such-file.js'], 'The file "dist/no-such-file.js" does not exist'],
  ])('ends with 2 if it is called wrongly: %j (KIT-04)', async (args, reason) => {
    const { code, stdout, stderr } = await runHere(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
  });
});

describe('nestjs-mcp-cli lint of any server', () => {
  const inputSchema = { type: 'object' };

  it.each(REVISIONS.map(({ version, kind }) => [version, kind] as const))(
    'judges one that speaks %s (KIT-04)',
    async (version, kind) => {
      const tool = { name: 'find tickets', inputSchema };
      const { url } = await serve(
        kind === 'handshake' ? serving(version, tool) : listing(() => ({ tools: [tool] })),
      );
      const { report } = await judge(url);
      expect(rulesOf(report)).toEqual(expect.arrayContaining(['host-name', 'tool-description']));
    },
  );

  it('reads every page, and goes round in no circle (KIT-04)', async () => {
    const endpoint = await serve(
      listing(({ message }) => {
        const { cursor = '0' } = message['params'] as { readonly cursor?: string };
        const nextCursor = String((Number(cursor) + 1) % 3);
        return { tools: [{ name: `tool_${cursor}`, inputSchema }], nextCursor };
      }),
    );
    const { report } = await judge(endpoint.url);
    const names = new Set(report.sizes.map(({ name }) => name));
    expect(names).toEqual(new Set(['"tool_0"', '"tool_1"', '"tool_2"']));
    expect(endpoint.requests.filter(({ rpc }) => rpc === 'tools/list').length).toBeLessThan(6);
  });

  it('judges the beginning of a list without an end (KIT-04)', async () => {
    const { url } = await serve(
      listing(({ count }) => ({
        tools: Array.from({ length: 900 }, (_, index) => ({ name: `tool.${count}.${index}`, inputSchema })),
        nextCursor: String(count),
      })),
    );
    const { code, report } = await judge(url);
    expect([code, report.isWhole, report.sizes.length]).toEqual([1, false, 2_000]);
    const { stdout } = await runHere(['lint', url]);
    expect(stdout.split('\n').length).toBeLessThan(200);
    expect(stdout).toContain('only their first entries were checked');
  });

  it.each([
    ['response', { tools: [{ name: 'x'.repeat(9 * 1024 * 1024), inputSchema }] }],
    ['list', { tools: [{ name: 'x'.repeat(1024 * 1024), inputSchema }], nextCursor: true }],
  ])('reads no more than anybody could use, in one %s (KIT-04)', async (unit, list) => {
    const { url } = await serve(
      listing(({ count }) => ({ ...list, ...('nextCursor' in list && { nextCursor: String(count) }) })),
    );
    const { code, stdout, stderr } = await runHere(['lint', url]);
    const limit = `sent more than 8388608 bytes in one ${unit}: accept more with "--max-bytes 16777216"`;
    expect([code, stdout, stderr]).toEqual([4, '', `"${url}" ${limit}\n`]);
  });

  it('prints nothing that a terminal obeys (KIT-04)', async () => {
    const hostile = '\u001b[2J\u009b31m\u202e\u0007';
    const properties = { [hostile]: { type: 'array', enum: [hostile, 'A'], description: hostile } };
    const schema = { type: 'object', properties, required: [`${hostile}!`] };
    const tool = { name: hostile, title: hostile, description: hostile, inputSchema: schema };
    const { url } = await serve(listing(() => ({ tools: [tool, { ...tool, name: 'other' }] })));
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await runHere(['lint', url, ...args]);
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toContain('hidden-characters');
      expect(stdout).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    }
  });

  it('says what is wrong with a list that is none, and ends with 4 (KIT-04)', async () => {
    const { url } = await serve(listing(() => ({ tools: [{ name: 7 }] })));
    const { code, stdout, stderr } = await runHere(['lint', url]);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain('Invalid result for tools/list');
  });
});

describe('nestjs-mcp-cli lint of an application', () => {
  it('judges what is declared and what is added when it starts, and does not listen (KIT-04)', async () => {
    const { code, report, stderr } = await judge(FILE);
    expect([code, stderr]).toEqual([1, '']);
    expect(report.sizes.map(({ name }) => name).toSorted()).toEqual([
      '"added.later"',
      '"close_ticket"',
      '"find_tickets"',
    ]);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ rule: 'prompt-description', subject: 'prompt "triage"' }),
    );
    expect(report.findings).toContainEqual(
      expect.objectContaining({ rule: 'resource-description', subject: 'resource "desk://rules"' }),
    );
  });

  it('judges what a caller sees who has some scopes (KIT-04)', async () => {
    const names = async (...args: readonly string[]) =>
      (await judge(`${FILE}#ProtectedModule`, ...args)).report.sizes.map(({ name }) => name).toSorted();
    expect(await names()).toEqual(['"ring_bell"']);
    expect(await names('--scope', 'vault other')).toEqual(['"open_vault"', '"ring_bell"']);
  });

  it('judges one of several servers (KIT-04)', async () => {
    const unnamed = await runCommandLine(['lint', `${FILE}#TwoModule`]);
    expect([unnamed.code, unnamed.stdout]).toEqual([2, '']);
    expect(unnamed.stderr).toContain('select one with "--server"');
    const { code, stderr } = await runCommandLine(['lint', `${FILE}#TwoModule`, '--server', 'staff']);
    expect([code, stderr]).toEqual([0, 'The server lists nothing to check\n']);
  });

  it('ends with 2 if the application cannot be initialized (KIT-04)', async () => {
    const { code, stdout, stderr } = await runCommandLine(['lint', `${FILE}#FailingModule`]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /The application could not be examined: The database is not there\nMake sure that the application starts here, .*\n$/,
    );
  });
});
