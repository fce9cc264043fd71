import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { DevApplication, writeTools } from '../../../support/programs/dev-application.js';
import { until } from '../../../support/until.js';

const LONGEST_TEST_MS = 120_000;
const PATIENCE_MS = 30_000;

/** A client of either generation, connected in a session. */
interface Connected {
  listTools(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const GENERATIONS: readonly {
  readonly generation: string;
  readonly connect: (url: URL, onChange: () => void) => Promise<Connected>;
}[] = [
  {
    generation: 'v1',
    connect: async (url, onChange) => {
      const client = new ClientV1({ name: 'patient', version: '1.0.0' });
      client.setNotificationHandler(ToolListChangedNotificationSchema, onChange);
      await client.connect(new HttpV1(url));
      return asConnected(client);
    },
  },
  {
    generation: 'v2',
    connect: async (url, onChange) => {
      const client = new ClientV2(
        { name: 'patient', version: '1.0.0' },
        { versionNegotiation: { mode: 'legacy' } },
      );
      client.setNotificationHandler('notifications/tools/list_changed', onChange);
      await client.connect(new HttpV2(url));
      return asConnected(client);
    },
  },
];

function asConnected(client: ClientV1 | ClientV2): Connected {
  return {
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    close: () => client.close(),
  };
}

let application: DevApplication;

beforeEach(async () => {
  application = await DevApplication.create();
});

afterEach(async () => {
  await application.remove();
});

describe.each(GENERATIONS)('a client of the official SDK $generation', ({ connect }) => {
  it(
    'hears in its session that the list changed with the application',
    async () => {
      let changes = 0;
      const command = application.start();
      await command.prints(/ {2}tools +greet\n/);
      const client = await connect(application.url, () => (changes += 1));
      try {
        expect(await client.listTools()).toEqual(['greet']);
        // A call is told after its answer: the handshake of this connection has to be told before another one is looked for.
        const place = await command.prints(/tools\/list .*\n/);
        application.write('greeting.tools.ts', writeTools({ bow: "return 'bowed';" }));
        await command.prints(/\+ added tool bow/, place);
        await until(() => changes > 0, 'the notification', PATIENCE_MS);
        await offers(client, 'bow');
        expect(command.stdout.slice(place)).not.toContain('initialize');
      } finally {
        await client.close();
      }
    },
    LONGEST_TEST_MS,
  );

  it(
    'hears of it as well if the application was broken for longer than it tries',
    async () => {
      let changes = 0;
      const command = application.start();
      await command.prints(/ {2}tools +greet\n/);
      const client = await connect(application.url, () => (changes += 1));
      try {
        application.write('greeting.tools.ts', `throw new Error('no cellar');\n${writeTools({})}`);
        await command.prints(/throw new Error\('no cellar'\)/);
        // Whenever it tries, it finds somebody there.
        await until(() => isStreamHeld(application), 'the stream of the client', PATIENCE_MS);
        const answer = await fetch(application.url, { method: 'POST', body: '{}' });
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
        application.write('greeting.tools.ts', writeTools({ bow: "return 'bowed';" }));
        await until(() => changes > 0, 'the notification', PATIENCE_MS);
        await offers(client, 'bow');
      } finally {
        await client.close();
      }
    },
    LONGEST_TEST_MS,
  );
});

/** Waits until a client finds one tool alone: a watcher may start the application twice for one change of a file. */
async function offers(client: Connected, name: string): Promise<void> {
  const find = async () => {
    const names = await client.listTools().catch((error: Error) => [error.message]);
    return names.length === 1 && names[0] === name;
  };
  await until(find, `the tool "${name}"`, PATIENCE_MS);
}

async function isListening(client: ClientV2): Promise<boolean> {
  try {
    await client.listen({ toolsListChanged: true });
    return true;
  } catch {
    return false;
  }
}

/** Tells whether the port is kept: a stream can be opened there without a session. */
async function isStreamHeld({ url }: DevApplication): Promise<boolean> {
  const stop = new AbortController();
  try {
    const { status } = await fetch(url, { headers: { Accept: 'text/event-stream' }, signal: stop.signal });
    return status === 200;
  } catch {
    return false;
  } finally {
    stop.abort();
  }
}

describe('a client without a session', () => {
  it(
    'hears of changes when it listens again',
    async () => {
      let changes = 0;
      const command = application.start();
      await command.prints(/ {2}tools +greet\n/);
      const client = new ClientV2(
        { name: 'listener', version: '1.0.0' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      client.setNotificationHandler('notifications/tools/list_changed', () => void (changes += 1));
      await client.connect(new HttpV2(application.url));
      try {
        const first = await client.listen({ toolsListChanged: true });
        expect(changes).toBe(0);
        const place = command.stdout.length;
        application.write('greeting.tools.ts', writeTools({ bow: "return 'bowed';" }));
        await first.closed;
        await command.prints(/\+ added tool bow/, place);
        await until(() => isListening(client), 'the subscription', PATIENCE_MS);
        await until(() => changes > 0, 'the notification', PATIENCE_MS);
        await offers(asConnected(client), 'bow');
      } finally {
        await client.close();
      }
    },
    LONGEST_TEST_MS,
  );
});
