import { beforeEach, describe, expect, it } from '@jest/globals';
import { CapabilitiesDeclaration } from '../../../../lib/server/methods/capabilities-declaration.js';
import {
  InitializeMethod,
  PingMethod,
  ServerDiscoverMethod,
} from '../../../../lib/server/methods/handshake.methods.js';
import {
  LoggingSetLevelMethod,
  ResourcesSubscribeMethod,
  ResourcesUnsubscribeMethod,
} from '../../../../lib/server/methods/session.methods.js';
import { LOG_LEVELS } from '../../../../lib/core/protocol/log-level.js';
import { McpError } from '../../../../lib/core/protocol/mcp.error.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../lib/server/sessions/session.js';
import type { McpOptions } from '../../../../lib/server/settings/mcp-options.js';
import { HandshakePeer } from '../../../../lib/server/sessions/handshake-peer.js';
import type { SessionOpening } from '../../../../lib/server/sessions/session-opening.interface.js';
import { StatelessPeer } from '../../../../lib/server/sessions/stateless-peer.js';
import { shareNothing } from '../../support/notifications.js';
import { TestCatalog } from '../../support/catalog.js';
import { buildContext, buildPeer, openSession, type Json } from '../../support/requests.js';
import { buildSettings, SERVER_INFO } from '../../support/settings.js';

const CLIENT = { name: 'client', version: '1', title: 'Client' };
const HANDSHAKE = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: CLIENT };

function declare(catalog: TestCatalog, options: Partial<McpOptions> = {}): CapabilitiesDeclaration {
  return new CapabilitiesDeclaration(buildSettings(options), catalog);
}

describe('What a server declares', () => {
  const build = (options?: Partial<McpOptions>, fill: (catalog: TestCatalog) => void = () => undefined) => {
    const catalog = new TestCatalog();
    fill(catalog);
    return declare(catalog, options).build();
  };

  it.each<[string, (catalog: TestCatalog) => void, object]>([
    ['nothing', () => undefined, {}],
    ['a tool', ({ entries }) => entries.tools.add({ name: 'a' }, () => 1), { tools: { listChanged: true } }],
    [
      'a prompt',
      ({ entries }) => entries.prompts.add({ name: 'a' }, () => 1),
      { prompts: { listChanged: true } },
    ],
    [
      'a resource',
      ({ entries }) => entries.resources.add({ name: 'a', uri: 'desk://a' }, () => 1),
      { resources: { subscribe: true, listChanged: true } },
    ],
    [
      'a resource template',
      ({ entries }) => entries.resourceTemplates.add({ name: 'a', uriTemplate: 'desk://{a}' }, () => 1),
      { resources: { subscribe: true, listChanged: true } },
    ],
    [
      'a completion',
      (catalog) => catalog.addCompletion({ prompt: 'a', argument: 'b' }, () => []),
      { completions: {} },
    ],
  ])('is, with %s in the catalog, that and logging (CORE-03)', (_what, fill, declared) => {
    expect(build({}, fill)).toEqual({ ...declared, logging: {} });
  });

  it('can be declared for an area that is still empty, or withheld for one that is not (MOD-06)', () => {
    const fill = ({ entries }: TestCatalog) => entries.tools.add({ name: 'a' }, () => 1);
    expect(build({ capabilities: { tools: false, prompts: true, logging: false } }, fill)).toEqual({
      prompts: { listChanged: true },
    });
  });

  it('changes with the catalog and with extensions, and is the same object until then (CORE-03)', () => {
    const catalog = new TestCatalog();
    const declaration = declare(catalog);
    const first = declaration.build();
    expect(declaration.build()).toBe(first);

    catalog.entries.tools.add({ name: 'a' }, () => 1);
    expect(declaration.build()).toEqual({ tools: { listChanged: true }, logging: {} });
    declaration.declare({ experimental: { trial: {} } });
    expect(declaration.build()).toMatchObject({ experimental: { trial: {} } });
    declaration.declareExtension({ id: 'com.example/a', specVersion: '1', stability: 'experimental' });
    expect(declaration.build()).toHaveProperty(['extensions', 'com.example/a']);
    expect(first).toEqual({ logging: {} });
  });
});

describe('initialize (MCP 2025-11-25 basic/lifecycle)', () => {
  let registry: SessionRegistry;

  beforeEach(() => {
    registry = new SessionRegistry(buildSettings());
  });

  function initialize(params: object, options: Partial<McpOptions> = {}) {
    const peer = new HandshakePeer(registry, undefined);
    const method = new InitializeMethod(buildSettings(options), declare(new TestCatalog()));
    const { json } = method.handle(buildContext('initialize', { params, peer }));
    return { result: JSON.parse(json) as Json, session: peer.opened };
  }

  it('opens a session with what both sides declared (SESS-02)', () => {
    const { session, result } = initialize(HANDSHAKE, { instructions: 'Search first.' });
    expect(result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { logging: {} },
      serverInfo: SERVER_INFO,
      instructions: 'Search first.',
    });
    expect(session).toMatchObject({
      client: { info: CLIENT, capabilities: { roots: {} } },
      declared: { logging: {} },
      isLive: false,
    });
    expect([...registry.all()]).toEqual([session]);
  });

  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-06-18', '2025-06-18'],
    ['2026-07-28', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    ['', '2025-11-25'],
  ])('answers %j with %s, which the session then speaks (VER-02)', (protocolVersion, chosen) => {
    const { session, result } = initialize({ ...HANDSHAKE, protocolVersion });
    expect([result['protocolVersion'], session?.revision.version]).toEqual([chosen, chosen]);
  });

  it("tells each client what is declared as of now, in the client's revision (CORE-03) (VER-02)", () => {
    const catalog = new TestCatalog();
    const declaration = declare(catalog);
    const method = new InitializeMethod(buildSettings(), declaration);
    const told = (peer: SessionOpening, protocolVersion = '2025-11-25') => {
      const params = { ...HANDSHAKE, protocolVersion };
      return (JSON.parse(method.handle(buildContext('initialize', { params, peer })).json) as Json)[
        'capabilities'
      ];
    };
    const shakeHands = (version?: string) => told(new HandshakePeer(registry, undefined), version);
    expect(shakeHands()).toEqual({ logging: {} });

    catalog.entries.tools.add({ name: 'a' }, () => 1);
    catalog.addCompletion({ prompt: 'a', argument: 'b' }, () => []);
    expect(shakeHands()).toEqual({ tools: { listChanged: true }, completions: {}, logging: {} });
    expect(shakeHands('2024-11-05')).toEqual({ tools: { listChanged: true }, logging: {} });
    expect(told(new StatelessPeer(undefined, undefined))).toEqual({ tools: {}, completions: {} });

    catalog.entries.tools.remove('a');
    declaration.declareExtension({ id: 'com.example/a', specVersion: '1', stability: 'stable' });
    expect(shakeHands()).toEqual({
      completions: {},
      logging: {},
      extensions: { 'com.example/a': { specVersion: '1', stability: 'stable' } },
    });
  });

  it.each<[string, object]>([
    ['no version', { ...HANDSHAKE, protocolVersion: undefined }],
    ['a version that is a number', { ...HANDSHAKE, protocolVersion: 20251125 }],
    ['no capabilities', { ...HANDSHAKE, capabilities: undefined }],
    ['capabilities that are a list', { ...HANDSHAKE, capabilities: [] }],
    ['no client', { ...HANDSHAKE, clientInfo: undefined }],
    ['a client without a name', { ...HANDSHAKE, clientInfo: { version: '1' } }],
    ['a client without a version', { ...HANDSHAKE, clientInfo: { name: 'x' } }],
    ['nothing', {}],
  ])('answers %s with -32602 and opens no session (CORE-01)', (_what, params) => {
    expect(() => initialize(params)).toThrow(expect.objectContaining({ code: -32602 }));
    expect([...registry.all()]).toEqual([]);
  });

  it.each(['capabilities', 'clientInfo'])(
    'answers %s that are nested without end with -32602 (CORE-01)',
    (member) => {
      const nested = JSON.parse(`${'{"a":'.repeat(100_000)}{}${'}'.repeat(100_000)}`) as object;
      const given = { ...HANDSHAKE[member as 'clientInfo'], nested };
      expect(() => initialize({ ...HANDSHAKE, [member]: given })).toThrow(
        expect.objectContaining({ code: -32602, message: expect.stringContaining('nested too deeply') }),
      );
      expect([...registry.all()]).toEqual([]);
    },
  );

  it('keeps of a declaration what it is (CAP-01)', () => {
    initialize({ ...HANDSHAKE, capabilities: { roots: {}, sampling: null, elicitation: { url: false } } });
    expect([...registry.all()].map(({ client }) => client.capabilities)).toEqual([
      { roots: {}, elicitation: {} },
    ]);
  });

  it('is refused in a session, and on the stateless wire (SESS-02)', () => {
    const method = new InitializeMethod(buildSettings(), declare(new TestCatalog()));
    for (const peer of [openSession(registry), buildPeer()]) {
      const context = buildContext('initialize', { params: HANDSHAKE, peer });
      expect(() => method.handle(context)).toThrow(/already initialized/);
    }
  });

  it('is answered with 429 where there are too many sessions, and none is idle (HTTP-10)', () => {
    registry = new SessionRegistry(buildSettings({ sessions: { maxSessions: 1 } }));
    initialize(HANDSHAKE);
    for (const session of registry.all()) session.inFlight.add(buildContext('tools/call', { peer: session }));
    expect(() => initialize(HANDSHAKE)).toThrow(expect.objectContaining({ httpStatus: 429 }));
  });
});

describe('server/discover (MCP 2026-07-28 server/discover)', () => {
  it('tells what is spoken and offered now, and how long that may be kept (VER-04, VER-05)', () => {
    const catalog = new TestCatalog();
    const cache = { discover: { ttlMs: 1000, scope: 'public' as const } };
    const settings = buildSettings({ instructions: 'Search first.', cache });
    const method = new ServerDiscoverMethod(settings, declare(catalog));
    const discover = () => method.handle(buildContext('server/discover'));
    expect(discover()).toEqual({
      supportedVersions: ['2026-07-28'],
      capabilities: { logging: {} },
      instructions: 'Search first.',
      ttlMs: 1000,
      cacheScope: 'public',
    });
    catalog.entries.tools.add({ name: 'a' }, () => 1);
    expect(discover()['capabilities']).toEqual({ logging: {}, tools: { listChanged: true } });
  });
});

describe('The methods of a session', () => {
  let registry: SessionRegistry;
  let session: Session;

  beforeEach(() => {
    registry = new SessionRegistry(buildSettings({ sessions: { maxSubscriptions: 2 } }));
    session = openSession(registry);
  });

  it('ping is answered with nothing (CORE-03)', () => {
    expect(new PingMethod().handle()).toEqual({});
  });

  const logging = new LoggingSetLevelMethod(shareNothing(new SessionRegistry(buildSettings())));
  const setLevel = (level: unknown, peer: ReturnType<typeof buildPeer> = session) =>
    logging.handle(buildContext('logging/setLevel', { peer, params: { level } }));

  it.each(LOG_LEVELS)('logging/setLevel sets the level "%s" (CORE-03)', (level) => {
    expect(setLevel(level)).toEqual({});
    expect(session.logLevel).toBe(level);
  });

  it.each([undefined, 'loud', 'DEBUG', 3, null, '__proto__'])(
    'logging/setLevel answers %j with -32602 (CORE-01)',
    (level) => {
      expect(() => setLevel(level)).toThrow(/"level" must be one of debug, info/);
      expect(session.logLevel).toBe('info');
    },
  );

  it('logging/setLevel is no method of a session that was not told of logging (CORE-03) (NOTE-05)', () => {
    expect(() => setLevel('info', openSession(registry, { declared: {} }))).toThrow(/Method not found/);
  });

  const { resourceAccess, views, entries } = new TestCatalog();
  entries.resourceTemplates.add({ name: 'any', uriTemplate: 'desk://{id}' }, () => 1);
  const subscribe = (params: Json, peer: Parameters<typeof buildContext>[1] = { peer: session }) =>
    new ResourcesSubscribeMethod(shareNothing(registry), resourceAccess, views).handle(
      buildContext('resources/subscribe', { ...peer, params }),
    );

  it('resources/subscribe and its opposite say which resources are watched (NOTE-04)', () => {
    expect([subscribe({ uri: 'desk://1' }), ...session.subscriptions]).toEqual([{}, 'desk://1']);
    const context = buildContext('resources/unsubscribe', { peer: session, params: { uri: 'desk://1' } });
    const method = new ResourcesUnsubscribeMethod(shareNothing(registry), resourceAccess);
    expect([method.handle(context), method.handle(context)]).toEqual([{}, {}]);
    expect([...session.subscriptions]).toEqual([]);
  });

  it.each([undefined, 7, '', 'x'.repeat(8193), null])(
    'resources/subscribe answers the URI %j with -32602 (CORE-01)',
    (uri) => {
      expect(() => subscribe({ uri })).toThrow(expect.objectContaining({ code: -32602 }));
    },
  );

  it('resources/subscribe takes no more than a bounded number (HTTP-10)', () => {
    for (const uri of ['desk://1', 'desk://2', 'desk://2']) void subscribe({ uri });
    expect(() => subscribe({ uri: 'desk://3' })).toThrow(/limit of 2 subscriptions/);
  });

  it('all need a session (HTTP-03)', () => {
    const without = { peer: buildPeer('2025-11-25') };
    expect(() => subscribe({ uri: 'desk://1' }, without)).toThrow(McpError);
    expect(() => setLevel('info', without.peer)).toThrow(/requires a session/);
  });
});
