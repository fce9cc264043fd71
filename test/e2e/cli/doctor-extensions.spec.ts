import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { EventSource, McpError, McpExtensions, type McpExtension } from 'nestjs-mcp';
import { NEVER, type Observable } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { examineEndpoint } from '../../support/examine-endpoint.js';
import { FixtureEndpoint, type Traits } from '../../support/fixture-endpoint.js';

const EVENTS = 'io.modelcontextprotocol/events';
const SCHEMA = { type: 'object' };
const SOURCE = {
  name: 'build.done',
  description: 'Fires when a build is done',
  delivery: ['poll', 'push'],
  inputSchema: SCHEMA,
  payloadSchema: SCHEMA,
};

@Injectable()
class Builds {
  @EventSource({ name: 'build.done', description: 'Fires when a build is done' })
  done(): Observable<object> {
    return NEVER;
  }
}

interface Forged {
  readonly events?: unknown;
  readonly poll?: () => object;
  readonly extension?: Partial<McpExtension>;
}

/** Builds a server that lists the events that it is told to list. */
function forge({ events = [SOURCE], poll, extension = {} }: Forged): Type {
  @Injectable()
  class Forger implements OnModuleInit {
    constructor(private readonly extensions: McpExtensions) {}

    onModuleInit(): void {
      this.extensions.register({
        id: EVENTS,
        published: {},
        capabilities: { events: {} },
        methods: [
          { method: 'events/list', requiresDeclaration: false, handle: () => ({ events }) },
          { method: 'events/poll', requiresDeclaration: false, handle: () => (poll?.() ?? {}) as never },
        ],
        ...extension,
      } as McpExtension);
    }
  }
  return Forger;
}

let server: { readonly url: string; close(): Promise<unknown> };

afterEach(() => server.close());

async function find(...ids: readonly string[]) {
  const findings = await examineEndpoint(server.url, { timeoutMs: 10_000 });
  return findings.filter(({ id }) => ids.includes(id));
}

async function boot(forged: Forged): Promise<RunningApp> {
  const app = await bootServer({ providers: [forge(forged)] });
  server = app;
  return app;
}

describe('"doctor" and events', () => {
  it.each(ADAPTERS.flatMap((adapter) => [true, false].map((stateless) => ({ adapter, stateless }))))(
    'finds those of this library healthy, with $adapter and stateless $stateless (XTN-06) (KIT-03)',
    async ({ adapter, stateless }) => {
      server = await bootServer({ adapter, options: { stateless, events: true }, providers: [Builds] });
      expect(await find('events', 'extensions')).toEqual([
        {
          id: 'extensions',
          status: 'ok',
          found: `Clients can read the declared extensions: "io.nestjs-mcp/events", "${EVENTS}"`,
          fix: '',
        },
        { id: 'events', status: 'ok', found: 'Clients find the events: 1 listed', fix: '' },
      ]);
    },
  );

  it('says nothing of a server that has none (XTN-06)', async () => {
    server = await bootServer();
    expect(await find('events', 'extensions')).toEqual([]);
  });

  it.each<[string, Forged, string]>([
    ['no list', { events: 'none' }, '"events/list" returns no list of events'],
    ['an entry without a name', { events: [{}] }, 'an entry has no "name"'],
    [
      'no way to get one',
      { events: [{ ...SOURCE, delivery: [] }] },
      '"delivery" of "build.done" must include at least one',
    ],
    [
      'a way that there is not',
      { events: [{ ...SOURCE, delivery: ['pull'] }] },
      '"delivery" of "build.done"',
    ],
    [
      'a way that comes twice',
      { events: [{ ...SOURCE, delivery: ['poll', 'poll'] }] },
      '"delivery" of "build.done"',
    ],
    [
      'no schema of arguments',
      { events: [{ ...SOURCE, inputSchema: undefined }] },
      '"build.done" has no "inputSchema"',
    ],
    [
      'no schema of payloads',
      { events: [{ ...SOURCE, payloadSchema: true }] },
      '"build.done" has no "payloadSchema"',
    ],
    ['one name for two', { events: [SOURCE, SOURCE] }, 'Two events have the name "build.done"'],
    ['a poll of nothing', {}, '"events/poll" succeeds for an event that does not exist'],
  ])('tells of %s (XTN-06) (KIT-03)', async (_case, forged, found) => {
    await boot(forged);
    expect(await find('events')).toMatchObject([{ status: 'error', found: expect.stringContaining(found) }]);
  });

  it('warns of an event without a description, and of another error for what is unknown (XTN-06) (KIT-03)', async () => {
    let code = -32011;
    const poll = () => {
      throw new McpError(code, 'There is no such event');
    };
    await boot({ events: [{ ...SOURCE, description: undefined }], poll });
    expect(await find('events')).toMatchObject([
      { status: 'warning', found: 'The event "build.done" has no "description"' },
    ]);
    code = -32023;
    expect(await find('events')).toMatchObject([{ found: 'The event "build.done" has no "description"' }]);
    code = -32602;
    expect(await find('events')).toMatchObject([
      { status: 'warning', found: 'A request for an event that does not exist returns "-32602"' },
    ]);
  });

  it('warns of one that only some clients find (XTN-06) (KIT-03)', async () => {
    const events = [{ ...SOURCE, delivery: ['push'] }];
    await boot({ events, extension: { capabilities: {} } });
    expect(await find('events')).toMatchObject([
      { status: 'warning', found: 'Events are not declared under "events", where some clients look' },
    ]);
    await server.close();
    const id = 'com.example/alerts';
    const own = { id, specVersion: '1', stability: 'experimental', published: undefined };
    await boot({ events, extension: own as Partial<McpExtension> });
    expect(await find('events')).toMatchObject([
      {
        status: 'warning',
        found: `Events are not declared under extensions["${EVENTS}"], where some clients look`,
      },
    ]);
  });
});

describe('"doctor" and declared extensions', () => {
  async function declare(extensions: unknown): Promise<void> {
    const capabilities = { extensions };
    const traits: Traits = {
      handshake: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'x', version: '1' } },
    };
    const endpoint = await FixtureEndpoint.start(traits);
    server = { url: endpoint.url, close: () => endpoint.stop() };
  }

  it.each<[string, unknown, 'error' | 'warning', string]>([
    ['a list of them', ['com.example/a'], 'error', '"extensions" is not an object'],
    [
      'settings that are none',
      { 'com.example/a': true },
      'error',
      'The settings of "com.example/a" are not an object',
    ],
    [
      'an envelope around what a specification defines',
      { 'io.modelcontextprotocol/skills': { specVersion: '1', config: {} } },
      'error',
      '"io.modelcontextprotocol/skills" is declared with more than its settings',
    ],
    ['an id without a prefix', { reports: {} }, 'warning', '"reports" cannot be used as an extension id'],
  ])('tells of %s (EXT-01) (KIT-03)', async (_case, extensions, status, found) => {
    await declare(extensions);
    expect(await find('extensions')).toEqual([expect.objectContaining({ status, found })]);
  });

  it.each([{}, undefined])('says nothing where there are none: %j (EXT-01)', async (extensions) => {
    await declare(extensions);
    expect(await find('extensions')).toEqual([]);
  });
});
