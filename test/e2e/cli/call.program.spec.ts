import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { findFreePort } from '../../conformance/find-free-port.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { CommandLine } from '../../support/programs/command-line.js';
import { runHere } from '../../support/programs/run-here.js';
import { FixtureEndpoint } from '../../support/fixture-endpoint.js';
import { until } from '../../support/until.js';

const TOKEN = 'token-of-the-command-line';
const Table = z.object({
  day: z.iso.date().meta({ title: 'Day' }),
  people: z.int().min(1).max(8).default(2),
  area: z.enum(['inside', 'terrace']).default('inside'),
});

@Injectable()
class CallableTools {
  /** Whether the last call of `wait` was cancelled. */
  isCancelled = false;

  @Tool({
    description: 'Adds numbers',
    inputSchema: z.object({ numbers: z.array(z.number()), note: z.string().optional() }),
    outputSchema: z.object({ sum: z.number() }),
  })
  add({ numbers }: { numbers: number[] }) {
    return { sum: numbers.reduce((sum, one) => sum + one, 0) };
  }

  @Tool()
  async count(_arguments: object, context: McpContext) {
    for (let step = 1; step <= 3; step += 1) context.progress(step, 3, `step ${step}`);
    return 'counted';
  }

  @Tool()
  async wait(_arguments: object, context: McpContext) {
    context.signal.addEventListener('abort', () => (this.isCancelled = true));
    context.progress(1, 2, 'waiting');
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
  }

  @Tool()
  async reserve(_arguments: object, context: McpContext) {
    const answer = await context.elicit({ message: 'When?', schema: Table });
    return answer.action === 'accept' ? JSON.stringify(answer.content) : `The user said ${answer.action}`;
  }

  @Tool()
  async pay(_arguments: object, context: McpContext) {
    const { action } = await context.elicitUrl({ message: 'Pay here', url: 'https://pay.example.com/1' });
    return `The user said ${action}`;
  }

  @Tool()
  fail(): never {
    throw new Error('The desk is \u001b[31mclosed');
  }

  @Tool()
  turn() {
    const { content } = this.picture();
    return { content, structuredContent: { note: '\u009b31m\u202e' } };
  }

  @Tool()
  picture() {
    return { content: [{ type: 'image' as const, mimeType: 'image/png', data: 'aGVsbG8=' }] };
  }
}

async function bootDesk(): Promise<RunningApp> {
  return bootServer({ providers: [CallableTools] });
}

/** A desk that does not know the revision without handshake. */
async function bootOlderDesk(): Promise<RunningApp> {
  return bootServer({
    providers: [CallableTools],
    configure: (app) => {
      app.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
        if (request.headers['mcp-method'] !== 'server/discover') return next();
        response.writeHead(404).end();
      });
    },
  });
}

describe('nestjs-mcp-cli call', () => {
  let desk: RunningApp;
  let locked: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk();
    const auth = { bearer: { token: TOKEN, subject: 'tester' } };
    locked = await bootServer({ options: { auth }, providers: [CallableTools] });
  });

  afterAll(async () => {
    await desk.close();
    await locked.close();
  });

  const call = (args: readonly string[], input?: string) =>
    runHere(['call', desk.url, ...args], input === undefined ? {} : { input });

  it('makes texts what the schema wants, and prints the result (CLI-20)', async () => {
    const { code, stdout, stderr } = await call(['add', 'numbers=1', 'numbers=2.5']);
    expect([code, JSON.parse(stdout), stderr]).toEqual([0, { sum: 3.5 }, '']);
  });

  it('takes an object of JSON, and prints the whole result (CLI-20)', async () => {
    const { code, stdout } = await call(['add', '--json', '{"numbers":[4]}', 'note=x', '--raw']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { structuredContent: { sum: 4 } }]);
  });

  it('shows progress as plain lines where no terminal is, apart from the result (CLI-20)', async () => {
    const { code, stdout, stderr } = await call(['count']);
    expect([code, stdout]).toEqual([0, 'counted\n']);
    expect(stderr).toBe('progress 1/3: step 1\nprogress 2/3: step 2\nprogress 3/3: step 3\n');
  });

  it('goes on where nobody reads what is no result any more (CLI-20)', async () => {
    const line = new CommandLine(['call', desk.url, 'count']);
    line.stopReading('stderr');
    expect(await line.ends()).toMatchObject({ code: 0, stdout: 'counted\n' });
  });

  it.each<[string, () => Promise<RunningApp>]>([
    ['server', bootDesk],
    ['server that has sessions alone', bootOlderDesk],
  ])('cancels the call at a %s upon Ctrl-C, and leaves no session (CLI-20)', async (_what, boot) => {
    const { app, url, close } = await boot();
    const line = new CommandLine(['call', url, 'wait']);
    await line.says(/waiting/);
    line.interrupt();
    const { code } = await line.ends();
    await until(() => app.get(CallableTools).isCancelled, 'the end of the call');
    const { sessions } = app.get(McpNotifier);
    await close();
    expect([code, sessions.length]).toEqual([null, 0]);
  });

  it('asks for the fields of a form one by one, and proposes defaults (CLI-20)', async () => {
    const input = 'tomorrow\n2027-03-01\n9\n4\nTERRACE\ny\n';
    const { code, stdout, stderr } = await call(['reserve', '--interactive'], input);
    expect([code, JSON.parse(stdout)]).toEqual([0, { day: '2027-03-01', people: 4, area: 'terrace' }]);
    expect(stderr).toContain('The server asks: When?');
    expect(stderr).toContain('Expected a date such as');
    expect(stderr).toContain('Expected 8 or less');
    expect(stderr).toContain('[inside]: ');
    expect(stderr).not.toContain('progress');
  });

  it.each([
    ['2027-03-01\n\n\nn\n', 'The user said decline'],
    ['2027-03-01\n', 'The user said cancel'],
  ])('sends no form for %j (CLI-20)', async (input, said) => {
    expect(await call(['reserve', '--interactive'], input)).toMatchObject({ code: 0, stdout: `${said}\n` });
  });

  it('asks before a page is opened, and names its host (CLI-20)', async () => {
    const { stdout, stderr } = await call(['pay', '--interactive'], 'n\n');
    expect(stdout).toBe('The user said decline\n');
    expect(stderr).toContain('this page on pay.example.com:\n  https://pay.example.com/1\n');
  });

  it('opens a page where the user agrees, or says that it cannot (CLI-20)', async () => {
    const environment = { DISPLAY: '', WAYLAND_DISPLAY: '', BROWSER: '', WSL_DISTRO_NAME: '' };
    const setup = { input: 'y\n', environment };
    const { stdout, stderr } = await runHere(['call', desk.url, 'pay', '--interactive'], setup);
    expect(stdout).toBe('The user said accept\n');
    expect(stderr).toContain('No browser could be opened: open the page manually');
  });

  it('does not say that it can be asked where nobody sits (CLI-20)', async () => {
    const { code, stderr } = await call(['reserve']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('-32021')]);
    expect(stderr).toMatch(/elicitation: run the command in a terminal, or pass "--interactive"\n$/);
  });

  it('says the same of a server that has sessions alone (CLI-20)', async () => {
    const { url, close } = await bootOlderDesk();
    const { code, stderr } = await runHere(['call', url, 'reserve']);
    await close();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /did not declare .*\nTo answer elicitation requests, run the command in a terminal, or pass "--interactive"\n$/,
    );
  });

  it('does the same with a server that has sessions alone (CLI-20)', async () => {
    const { url, close } = await bootOlderDesk();
    const counted = await runHere(['call', url, 'count']);
    const setup = { input: '2027-03-01\n\n\n\n' };
    const reserved = await runHere(['call', url, 'reserve', '--interactive'], setup);
    await close();
    expect([counted.stdout, counted.stderr.split('\n')[0]]).toEqual(['counted\n', 'progress 1/3: step 1']);
    expect(JSON.parse(reserved.stdout)).toEqual({ day: '2027-03-01', people: 2, area: 'inside' });
  });

  it('ends with 1 where the tool says that it failed, and shows nothing that a terminal obeys (CLI-20)', async () => {
    const { code, stdout, stderr } = await call(['fail']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('\u001b');
  });

  it.each([[[]], [['--raw']]])('escapes in JSON what a terminal obeys, with %j (CLI-20)', async (options) => {
    const { code, stdout } = await call(['turn', ...options]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('\\u009b31m\\u202e')]);
    expect(stdout).not.toMatch(/[^\n\x20-\x7e]/);
  });

  it('names what is no text (CLI-20)', async () => {
    expect((await call(['picture'])).stdout).toBe('[image image/png, 5 bytes]\n');
  });

  it.each([
    ['no tool', [], 'Missing argument: the name of a tool'],
    ['a tool that is not there', ['ad'], 'The server has no tool "ad": it has "add", "count"'],
    ['an argument that is not there', ['add', 'number=1'], 'The tool has no argument "number"'],
    ['an argument of another type', ['add', 'numbers=one'], 'The argument "numbers" must be a list'],
    ['an argument that is missing', ['add'], 'The argument "numbers" is required'],
    ['an argument without "="', ['add', 'numbers'], 'must be of the form "key=value"'],
    ['JSON that is none', ['add', '--json', '{'], '"--json" must be a JSON object'],
    ['JSON that is no object', ['add', '--json', '[]'], '"--json" must be a JSON object'],
    ['an option that is not known', ['add', '--tokn=secret-of-ada'], 'Unknown option "--tokn"'],
    [
      'a variable without a token',
      ['add', '--token-env', 'NONE'],
      'NONE is not set in this terminal: export it first',
    ],
  ])('ends with 2 upon %s (CLI-20)', async (_case, args, message) => {
    const { code, stdout, stderr } = await call(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage: nestjs-mcp-cli call <url> <tool>');
    expect(stderr).not.toContain('secret-of-ada');
  });

  it('ends with 3 where the server takes no such token, and shows none (CLI-20)', async () => {
    const environment = { DESK_TOKEN: TOKEN, WRONG: 'wrong-token' };
    const args = ['call', locked.url, 'add', 'numbers=1', '--token-env'];
    expect(await runHere([...args, 'DESK_TOKEN'], { environment })).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await runHere([...args, 'WRONG'], { environment });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).not.toContain('wrong-token');
  });

  it('tells whoever logs in where there is nowhere to log in of a fixed token (CLI-20)', async () => {
    const { code, stdout, stderr } = await runHere(['login', locked.url]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('does not name an authorization server, so you cannot log in');
    expect(stderr).toContain('"--token-env"');
  });

  it('ends with 4 where nobody answers, or something else does (CLI-20)', async () => {
    const nobody = await runHere(['call', `http://127.0.0.1:${await findFreePort()}/mcp`, 'add']);
    expect(nobody).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/^The server at "http:.*" refuses connections: start it/),
    });
    const elsewhere = await runHere(['call', `${desk.origin}/nothing`, 'add']);
    expect(elsewhere).toMatchObject({ code: 4, stdout: '' });
  });

  it.each([
    ['no JSON', '<html>'],
    ['no message', '{"ok":true}'],
    ['nothing', ''],
  ])('ends with 4 and one line where the answer is %s (CLI-20)', async (_case, body) => {
    const endpoint = await FixtureEndpoint.start({
      takeOver: ({ rpc }, response) => {
        if (rpc !== 'initialize') response.writeHead(404).end();
        else response.writeHead(200, { 'content-type': 'application/json' }).end(body);
        return true;
      },
    });
    const { code, stdout, stderr } = await runHere(['call', endpoint.url, 'add']);
    await endpoint.stop();
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(/^The server at "http:[^\n]*" sent an unusable response: [^\n]*\n$/);
  });
});
