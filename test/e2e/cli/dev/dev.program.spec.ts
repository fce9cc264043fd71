import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { DevApplication, writeTools } from '../../../support/programs/dev-application.js';
import { until } from '../../../support/until.js';

const LONGEST_TEST_MS = 120_000;

/** For how long nothing more may be told of a flood. */
const FLOOD_MS = 30_000;

let application: DevApplication;

beforeEach(async () => {
  application = await DevApplication.create();
});

afterEach(async () => {
  await application.remove();
});

async function connect(name = 'visitor'): Promise<Client> {
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(application.url));
  return client;
}

/** Makes 10,000 calls, in batches as one of the revisions has them. */
async function flood(url: URL): Promise<void> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (message: unknown, session?: string) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, ...(session !== undefined && { 'mcp-session-id': session }) },
      body: JSON.stringify(message),
    });
  const params = {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'flood', version: '1' },
  };
  const begun = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const session = begun.headers.get('mcp-session-id') ?? '';
  await begun.text();
  for (let round = 0; round < 100; round += 1) {
    const batch = Array.from({ length: 100 }, (_, index) => ({
      jsonrpc: '2.0',
      id: round * 100 + index + 1,
      method: 'tools/call',
      params: { name: 'greet' },
    }));
    await (await post(batch, session)).text();
  }
}

describe('nestjs-mcp-cli dev', () => {
  it(
    'shows where the server is, what it offers, and each call as it comes',
    async () => {
      const command = application.start();
      const place = await command.prints(/Server at http:\/\/127\.0\.0\.1:\d+\/mcp\n/);
      await command.prints(/ {2}protocol +2024-11-05 to 2026-07-28\n/, place);
      await command.prints(/ {2}auth +no token required\n/, place);
      await command.prints(/ {2}explorer +http:\S+ in a browser\n/, place);
      const offer = await command.prints(/ {2}tools +greet\n/, place);
      const client = await connect();
      await client.callTool({ name: 'greet' });
      await command.prints(/\d\d:\d\d:\d\d {2}visitor 1\.0\.0 {2}initialize {2}ok {2}[\d.]+ ms\n/, offer);
      const call = await command.prints(
        / {2}visitor 1\.0\.0 {2}tools\/call greet {2}ok {2}[\d.]+ ms\n/,
        offer,
      );
      expect(call).toBeGreaterThan(offer);
      await client.close();
    },
    LONGEST_TEST_MS,
  );

  it(
    'shows what a handler throws with the code of the application around it',
    async () => {
      application.write(
        'greeting.tools.ts',
        writeTools({ fail: "throw new TypeError('the cellar is flooded');" }),
      );
      const command = application.start();
      await command.prints(/ {2}tools +fail\n/);
      const client = await connect();
      await client.callTool({ name: 'fail' });
      const place = await command.prints(/tools\/call fail fails: TypeError: the cellar is flooded\n/);
      await command.prints(/ {2}src\/greeting\.tools\.ts:12:\d+\n/, place);
      await command.prints(
        / {2}> 12 \| {5}throw new TypeError\('the cellar is flooded'\);\n +\| +\^\n/,
        place,
      );
      expect(await command.prints(/tools\/call fail {2}tool_error/, place)).toBeGreaterThan(place);
      await client.close();
    },
    LONGEST_TEST_MS,
  );

  it(
    'shows only what has changed after a restart',
    async () => {
      const command = application.start();
      const offer = await command.prints(/ {2}tools +greet\n/);
      application.write('greeting.tools.ts', writeTools({ greet: "return 'Hi';", bow: "return 'bowed';" }));
      const added = await command.prints(/has changed:\n {2}\+ added tool bow\n/, offer);
      application.write(
        'greeting.tools.ts',
        writeTools({ greet: "return 'Hi';", bow: "return 'bowed';" }, 'Greets whoever is there'),
      );
      const changed = await command.prints(
        / {2}~ changed tool greet: description\n {2}~ changed tool bow/,
        added,
      );
      application.write(
        'greeting.tools.ts',
        writeTools({ greet: "return 'Hello';" }, 'Greets whoever is there'),
      );
      const removed = await command.prints(/ {2}- removed tool bow\n/, changed);
      application.write(
        'greeting.tools.ts',
        writeTools({ greet: "return 'Hey';" }, 'Greets whoever is there'),
      );
      await command.prints(/The server has restarted without changes\n/, removed);
      expect(command.stdout.slice(offer)).not.toMatch(/ {2}tools +greet/);
    },
    LONGEST_TEST_MS,
  );

  it(
    'shows why an application does not start, in its own code, and goes on when that is mended',
    async () => {
      application.write('greeting.tools.ts', `throw new Error('no cellar');\n${writeTools({})}`);
      const command = application.start();
      await command.prints(
        / {2}src\/greeting\.tools\.ts:1:\d+\n {2}> 1 \| throw new Error\('no cellar'\);\n/,
      );
      expect(command.stderr).toContain('Error: no cellar');
      application.write('greeting.tools.ts', writeTools({ greet: "return 'Hello';" }));
      await command.prints(/ {2}tools +greet\n/);
    },
    LONGEST_TEST_MS,
  );

  it(
    'shows the line of the application at which an option of the module is refused',
    async () => {
      application.write(
        'greeting.tools.ts',
        `import { McpModule } from 'nestjs-mcp';\n\nMcpModule.forRoot(undefined as never);\n${writeTools({})}`,
      );
      const command = application.start();
      const place = await command.prints(/ {2}src\/greeting\.tools\.ts:3:\d+\n/);
      expect(await command.prints(/> 3 \| McpModule\.forRoot\(undefined as never\);\n/)).toBeGreaterThan(
        place,
      );
    },
    LONGEST_TEST_MS,
  );

  it(
    'lets nothing that a client says of itself steer the terminal',
    async () => {
      const command = application.start();
      await command.prints(/ {2}tools +greet\n/);
      const client = await connect('\u001b[2J\u001b]0;owned\u0007\u202eevil\nnext');
      await client.callTool({ name: 'none\u001b[31m\r\nno' }).catch(() => undefined);
      await command.prints(/tools\/call none/);
      expect(command.stdout).toMatch(/evil/);
      // eslint-disable-next-line no-control-regex -- these are what must not be there
      expect(command.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
      await client.close();
    },
    LONGEST_TEST_MS,
  );

  it(
    'counts what a flood of calls has beyond what can be read',
    async () => {
      const command = application.start();
      const offer = await command.prints(/ {2}tools +greet\n/);
      const begun = performance.now();
      await flood(application.url);
      const count = () => {
        const shown = command.stdout.slice(offer);
        const told = shown.match(/tools\/call greet {2}ok/g)?.length ?? 0;
        const more = [...shown.matchAll(/and (\d+) more calls?/g)];
        return { told, all: more.reduce((sum, [, number]) => sum + Number(number), told) };
      };
      // A few others come with them: the handshake, and the stream.
      await command.prints(/more calls?/, offer);
      await until(
        () => count().all >= 10_000,
        () => `all calls, after ${count().all}`,
        FLOOD_MS,
        () => count().all,
      );
      const seconds = (performance.now() - begun) / 1000;
      expect(count().told).toBeLessThanOrEqual(20 * (Math.ceil(seconds) + 1));
    },
    LONGEST_TEST_MS,
  );

  it(
    'says that a port is taken, as by another one',
    async () => {
      const command = application.start();
      await command.prints(/ {2}tools +greet\n/);
      const other = await DevApplication.create();
      try {
        const second = other.start([], { PORT: String(application.port) });
        await second.prints(new RegExp(`Port ${application.port} is in use: `));
      } finally {
        await other.remove();
      }
      const client = await connect();
      expect((await client.callTool({ name: 'greet' })).isError).toBeUndefined();
      await client.close();
    },
    LONGEST_TEST_MS,
  );
});
