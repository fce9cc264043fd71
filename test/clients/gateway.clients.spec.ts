import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';
import { listChildren } from './published/child-processes.js';
import { buildOffered, prefixUri, selectOffered } from './published/offered-lists.js';
import { FRONTS, type Listed, type OfficialClient, type Question } from './published/official-client.js';
import { PublishedGateway } from './published/published-gateway.js';
import { LISTENING, OVER_STDIO } from './published/published-servers.js';

const TIMEOUT_MS = 120_000;
const SERVERS = [...OVER_STDIO, ...LISTENING];
const EVERYTHING = ['everything', 'everything-sse', 'everything-http'] as const;
const ROWS = FRONTS.map((front, index) => ({ ...front, index }));
const STATIC = 'demo://resource/static/document/features.md';

const before = listChildren();
let published: PublishedGateway;
const clients: OfficialClient[] = [];

beforeAll(async () => {
  published = await PublishedGateway.start();
  const { url, folder } = published;
  clients.push(...(await Promise.all(FRONTS.map(({ connect }) => connect(url, folder)))));
}, TIMEOUT_MS);

afterAll(close, TIMEOUT_MS);

async function close(): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await published?.close();
}

function clientOf(index: number): OfficialClient {
  const client = clients[index];
  if (client === undefined) throw new Error('The client is not connected');
  return client;
}

/** Turns a request to a server into one to the gateway. */
function prefix(question: Question, name: string): Question {
  if ('tool' in question) return { ...question, tool: `${name}_${question.tool}` };
  if ('uri' in question) return { uri: prefixUri(question.uri, name) };
  if ('prompt' in question) return { ...question, prompt: `${name}_${question.prompt}` };
  return 'completePrompt' in question
    ? { ...question, completePrompt: `${name}_${question.completePrompt}` }
    : { ...question, completeTemplate: prefixUri(question.completeTemplate, name) };
}

/** Removes what differs from one call to the next, and the prefix from URIs. */
function settle(result: object, name = ''): unknown {
  const text = JSON.stringify(result)
    .replaceAll(`"uri":"${name}+`, '"uri":"')
    .replaceAll(`"uri":"ui://${name}+`, '"uri":"ui://')
    .replaceAll(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, '<time>')
    .replaceAll(/(thoughtHistoryLength\\?": ?)\d+/g, '$10');
  return JSON.parse(text);
}

/** The gateway adds the description that a server lists for a prompt, where its result has none. */
function describePrompt(result: object, question: Question, { prompts }: Listed): object {
  const listed = 'prompt' in question && prompts.find(({ name }) => name === question.prompt);
  return listed && listed.description !== undefined ? { description: listed.description, ...result } : result;
}

/** Makes a call, and waits until the client has received so many notifications of a method: it returns their parameters. */
async function collect(
  client: OfficialClient,
  method: string,
  { count = 1, call }: { readonly count?: number; readonly call: () => Promise<unknown> },
): Promise<readonly unknown[]> {
  const { notifications } = client;
  const { length } = notifications;
  const received = () => notifications.slice(length).filter((one) => one.method === method);
  await call();
  await until(
    () => received().length >= count,
    () => `${method}: ${JSON.stringify(notifications.slice(length))}`,
  );
  return received().map(({ params }) => params);
}

describe.each(ROWS)(
  'The lists of published servers behind a gateway, for the official client $front',
  ({ index, hasSession }) => {
    let offered: Listed;

    beforeAll(async () => {
      offered = await clientOf(index).list();
    });

    it.each(SERVERS)('have all that $name ($from) lists itself (GATE-01)', (server) => {
      const { listed } = published.find(server.name);
      const expected = buildOffered(listed, { ...server, hasSession });
      expect(selectOffered(offered, server.name)).toEqual(expected);
      expect(listed.tools).not.toEqual([]);
    });
  },
);

describe.each(ROWS)('Published servers behind a gateway, with the official client $front', ({ index }) => {
  it.each(SERVERS.filter(({ questions }) => questions.length > 0))(
    'give the results that $name ($from) gives itself (GATE-01, GATE-02)',
    async ({ name, questions }) => {
      const { listed, results } = published.find(name);
      for (const [at, question] of questions.entries()) {
        const result = await clientOf(index).ask(prefix(question, name));
        const expected = describePrompt(results[at] ?? {}, question, listed);
        expect([question, settle(result, name)]).toEqual([question, settle(expected)]);
      }
    },
    TIMEOUT_MS,
  );

  it.each([
    ...EVERYTHING.map(
      (name) => [`${name}_trigger-long-running-operation`, { duration: 0.1, steps: 2 }] as const,
    ),
    ['progress_count', { n: 2 }] as const,
    ['sums_count', { to: 2 }] as const,
    ['sums-http_count', { to: 2 }] as const,
    ['greetings_greet', {}] as const,
  ])('report the progress of %s (GATE-02)', async (tool, given) => {
    const reported: unknown[] = [];
    await clientOf(index).ask({ tool, given }, ({ progress, total }) => reported.push([progress, total]));
    expect(reported).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it.each([
    ['simple', 'start-notification-stream', { interval: 50, count: 2 }, 2],
    ['logs-sse', 'start-notification-stream', { interval: 50, count: 1 }, 2],
    ['sums', 'count', { to: 1 }, 1],
  ])('log with %s during a call (GATE-02)', async (logger, tool, given, count) => {
    const client = clientOf(index);
    const call = () => client.ask({ tool: `${logger}_${tool}`, given });
    const entries = await collect(client, 'notifications/message', { count, call });
    expect(entries).toMatchObject(Array.from({ length: count }, () => ({ logger })));
  });

  it.each(EVERYTHING)(
    'report updates of the resources of %s (GATE-02)',
    async (name) => {
      const client = clientOf(index);
      const uri = prefixUri(STATIC, name);
      const unsubscribe = await client.subscribe(uri);
      const toggle = () => client.ask({ tool: `${name}_toggle-subscriber-updates` });
      const [update] = await collect(client, 'notifications/resources/updated', { call: toggle });
      expect(update).toMatchObject({ uri });
      await toggle();
      await unsubscribe();
    },
    TIMEOUT_MS,
  );

  it('report new resources, which can be read (GATE-02)', async () => {
    const client = clientOf(index);
    const stop = await client.followResources();
    const given = { name: `${index}.gz`, data: 'data:text/plain,hi', outputType: 'resourceLink' };
    const call = () => client.ask({ tool: 'everything_gzip-file-as-resource', given });
    await collect(client, 'notifications/resources/list_changed', { call });
    const uri = `everything+demo://resource/session/${index}.gz`;
    expect((await client.list()).resources).toContainEqual(expect.objectContaining({ uri }));
    expect(await client.ask({ uri })).toMatchObject({ contents: [{ uri, mimeType: 'application/gzip' }] });
    await stop();
  });

  it.each([
    ['tasks_confirm_delete', { filename: 'a.txt' }, "Deleted 'a.txt'"],
    ['tasks_write_haiku', { topic: 'tides' }, 'Haiku:\nparrot: '],
    ['simple_delay', { duration: 20 }, 'Completed 20ms delay'],
  ])('run %s as the task that it requires (GATE-02)', async (tool, given, text) => {
    expect(await clientOf(index).ask({ tool, given })).toMatchObject({
      content: [{ text: expect.stringContaining(text) }],
    });
  });
});

describe('Published servers whose calls last for seconds, behind a gateway', () => {
  it(
    'ask each client in the middle of a task (GATE-02)',
    async () => {
      const calls = EVERYTHING.map((name, index) =>
        clientOf(index).ask({
          tool: `${name}_simulate-research-query`,
          given: { topic: 'tides', ambiguous: true },
        }),
      );
      const report = { content: [{ text: expect.stringContaining('Research Report: tides') }] };
      expect(await Promise.all(calls)).toMatchObject(EVERYTHING.map(() => report));
    },
    TIMEOUT_MS,
  );

  it(
    'may close the stream of a call, and give the result in another one (GATE-02)',
    async () => {
      const calls = FRONTS.map((_, index) => clientOf(index).ask({ tool: 'polling_long-task' }));
      const result = { content: [{ type: 'text', text: 'Long task completed successfully!' }] };
      expect(await Promise.all(calls)).toMatchObject(FRONTS.map(() => result));
    },
    TIMEOUT_MS,
  );
});

describe('A gateway to published servers that is closed', () => {
  it(
    'has ended each process that it started (GATE-02)',
    async () => {
      await close();
      const left = () => listChildren().filter((child) => !before.includes(child));
      await until(
        () => left().length === 0,
        () => left().join(),
      );
      expect(left()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
