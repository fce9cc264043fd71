import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExtensionHandles, McpExtensions } from '../../../../lib/server/dispatch/mcp-extensions.js';
import { ExtensionError } from '../../../../lib/server/dispatch/assert-extension.js';
import type { McpExtension } from '../../../../lib/server/dispatch/extension.interface.js';
import { HostedCalls } from '../../../../lib/server/dispatch/hosted-calls.js';
import { IncomingNotifications } from '../../../../lib/server/dispatch/incoming-notifications.js';
import { MethodTable } from '../../../../lib/server/dispatch/method-table.js';
import { CapabilitiesDeclaration } from '../../../../lib/server/methods/capabilities-declaration.js';
import { ToolCallInterceptors } from '../../../../lib/server/methods/tools-call.method.js';
import { ExtensionSubscriptions } from '../../../../lib/server/notifications/extension-subscriptions.js';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';
import { STANDALONE_STREAM } from '../../../../lib/server/sessions/streams/stream-records.js';
import { createPublisher } from '../../support/notifications.js';
import { CHALLENGES } from '../../support/caller.js';
import { TestCatalog } from '../../support/catalog.js';
import { TestDispatch } from '../../support/dispatch.js';
import { getRevision, NEWEST_HANDSHAKE, openSession, STATELESS } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

const ID = 'com.example/reports';
const REPORTS: McpExtension = { id: ID, specVersion: '1', stability: 'stable' };

const run = { method: 'other/run', handle: () => ({}) };
const told = { method: 'notifications/other', handle: () => undefined };
const listened = { filter: 'others', grant: (asked: unknown) => asked, open: () => () => undefined };

let dispatch: TestDispatch;
let catalog: TestCatalog;
let declaration: CapabilitiesDeclaration;
let methods: MethodTable;
let notifications: IncomingNotifications;
let subscriptions: ExtensionSubscriptions;
let extensions: McpExtensions;

beforeEach(() => {
  const settings = buildSettings();
  dispatch = new TestDispatch([]);
  catalog = new TestCatalog();
  declaration = new CapabilitiesDeclaration(settings, catalog);
  methods = new MethodTable([{ method: 'tools/call', handle: async () => ({}) }]);
  notifications = new IncomingNotifications(dispatch.sessions, settings);
  subscriptions = new ExtensionSubscriptions();
  extensions = new McpExtensions(
    declaration,
    catalog.addedScopes,
    methods,
    notifications,
    subscriptions,
    new ToolCallInterceptors(),
    new ExtensionHandles(
      createPublisher({ registry: dispatch.sessions, catalog }),
      new HostedCalls(dispatch.dispatcher, CHALLENGES),
      new Sealer(),
    ),
  );
});

describe('McpExtensions', () => {
  it('declares an extension, and what it adds besides (EXT-01)', () => {
    extensions.register({
      ...REPORTS,
      capabilities: { experimental: { 'x.y': {} } },
      scopes: ['desk:write'],
    });
    expect(declaration.build()).toMatchObject({
      extensions: { [ID]: { specVersion: '1', stability: 'stable' } },
      experimental: { 'x.y': {} },
    });
    expect(catalog.addedScopes.scopes).toEqual(['desk:write']);
  });

  it.each(['config', 'published', 'capabilities'])(
    'refuses "%s" that JSON cannot say, and takes the extension once it can (EXT-01)',
    (member) => {
      const given = {
        ...REPORTS,
        scopes: ['desk:write'],
        [member]: { experimental: { 'x.y': { count: 1n } } },
      } as McpExtension;
      expect(() => extensions.register(given)).toThrow(ExtensionError);
      expect(() => extensions.register(given)).toThrow(`must have a "${member}" that JSON can represent`);
      expect([declaration.build().extensions, catalog.addedScopes.scopes]).toEqual([undefined, []]);
      extensions.register(REPORTS);
      expect(declaration.build().extensions).toMatchObject({ [ID]: { specVersion: '1' } });
    },
  );

  it('adds methods to the revisions that they name (EXT-03)', () => {
    extensions.register({
      ...REPORTS,
      methods: [{ method: 'reports/run', revisions: ['handshake'], mcpNameParam: 'job', handle: () => ({}) }],
    });
    expect(methods.find('reports/run', getRevision(NEWEST_HANDSHAKE))?.method).toBe('reports/run');
    expect(methods.find('reports/run', getRevision(STATELESS))).toBeUndefined();
    expect(methods.names.get('reports/run')).toBe('job');
  });

  it('adds notifications and what clients can listen to (EXT-03)', () => {
    const heard: unknown[] = [];
    extensions.register({
      ...REPORTS,
      notifications: [{ method: 'notifications/reports/read', handle: (params) => void heard.push(params) }],
      subscriptions: [{ filter: 'reports', grant: (asked) => asked, open: () => () => undefined }],
    });
    const session = openSession(dispatch.sessions, { capabilities: { extensions: { [ID]: {} } } });
    void notifications.handle(
      { jsonrpc: '2.0', method: 'notifications/reports/read', params: { week: 1 } },
      session,
      session.inFlight,
    );
    expect(heard).toEqual([{ week: 1 }]);
    expect(subscriptions.isEmpty).toBe(false);
  });

  it('adds nothing that an extension does not have (EXT-03)', () => {
    extensions.register(REPORTS);
    expect(declaration.build()).toEqual({
      logging: {},
      extensions: { [ID]: { specVersion: '1', stability: 'stable' } },
    });
    expect([catalog.addedScopes.scopes, subscriptions.isEmpty, methods.names.size]).toEqual([[], true, 0]);
  });

  it('gives the extension its way to the sessions that declared it (EXT-03)', () => {
    const session = openSession(dispatch.sessions, { capabilities: { extensions: { [ID]: {} } } });
    const heard: string[] = [];
    session.streams.open(STANDALONE_STREAM).subscribe(({ message }) => void heard.push(message.json));
    extensions.register(REPORTS).notify('notifications/reports/ready');
    expect(heard).toEqual(['{"jsonrpc":"2.0","method":"notifications/reports/ready"}']);
  });

  it('leaves what the server declares of itself as it is (EXT-02)', () => {
    const auth = { id: 'io.nestjs-mcp/auth', specVersion: '2026-07-28', stability: 'experimental' } as const;
    declaration.declareExtension(auth);
    const register = () => extensions.register({ ...REPORTS, id: auth.id });
    expect(register).toThrow('"io.nestjs-mcp/auth" is already registered');
  });

  it.each([
    ['an id that is taken', { id: ID }, `"${ID}" is already registered`],
    [
      'a scope that is none',
      { scopes: ['desk:read', 'a b'] },
      '"com.example/other" must have "scopes" such as "desk:write", without spaces',
    ],
    [
      "the server's own method",
      { methods: [{ method: 'tools/call', handle: () => ({}) }] },
      '"com.example/other" cannot add the method "tools/call": this name is already in use',
    ],
    [
      'a method of another extension',
      { methods: [{ method: 'reports/run', handle: () => ({}) }] },
      '"com.example/other" cannot add the method "reports/run": this name is already in use',
    ],
    [
      'two methods of one name',
      { methods: [run, { ...run, revisions: ['handshake'] as const }] },
      '"com.example/other" declares the method "other/run" twice: give each one a unique name',
    ],
    [
      "the server's own notification",
      { notifications: [{ method: 'notifications/cancelled', handle: () => undefined }] },
      '"com.example/other" cannot add the notification "notifications/cancelled": this name is already in use',
    ],
    [
      'a notification of another extension',
      { notifications: [{ method: 'notifications/reports/read', handle: () => undefined }] },
      '"com.example/other" cannot add the notification "notifications/reports/read": this name is already in use',
    ],
    [
      'two notifications of one name',
      { notifications: [told, told] },
      '"com.example/other" declares the notification "notifications/other" twice: give each one a unique name',
    ],
    [
      "the server's own member of a filter",
      { subscriptions: [{ ...listened, filter: 'toolsListChanged' }] },
      '"com.example/other" cannot add the filter property "toolsListChanged": this name is already in use',
    ],
    [
      "the server's own member of a filter for resources",
      { subscriptions: [{ ...listened, filter: 'resourceSubscriptions' }] },
      '"com.example/other" cannot add the filter property "resourceSubscriptions": this name is already in use',
    ],
    [
      "another extension's member of a filter",
      { subscriptions: [{ ...listened, filter: 'reports' }] },
      '"com.example/other" cannot add the filter property "reports": this name is already in use',
    ],
    [
      'two members of a filter of one name',
      { subscriptions: [listened, listened] },
      '"com.example/other" declares the filter property "others" twice: give each one a unique name',
    ],
  ])('refuses %s, and adds nothing of it (EXT-03) (MOD-11)', (_case, changes, explanation) => {
    extensions.register({
      ...REPORTS,
      methods: [{ method: 'reports/run', handle: () => ({}) }],
      notifications: [{ method: 'notifications/reports/read', handle: () => undefined }],
      subscriptions: [{ ...listened, filter: 'reports' }],
    });
    const before = declaration.build();
    const other: McpExtension = { ...REPORTS, id: 'com.example/other', ...changes };
    expect(() => extensions.register(other)).toThrow(
      expect.objectContaining({
        name: 'ExtensionError',
        extension: other.id,
        message: `The extension ${explanation}`,
      }),
    );
    expect([declaration.build(), catalog.addedScopes.scopes]).toEqual([before, []]);
  });
});

describe('Members of an extension', () => {
  const handle = () => ({});

  it.each([
    ['a misspelt member', { method: [] }, '"method" (did you mean "methods"?) is not a known option'],
    ['methods that are no array', { methods: {} }, '"methods" must be an array'],
    ['a method without a handler', { methods: [{ method: 'a/b' }] }, '"methods[0].handle" is required'],
    [
      'a misspelt member of a method',
      { methods: [{ method: 'a/b', handle, requireDeclaration: false }] },
      '"methods[0].requireDeclaration" (did you mean "methods[0].requiresDeclaration"?) is not a known option',
    ],
    [
      'an unknown kind of revision',
      { methods: [{ method: 'a/b', handle, revisions: ['2026-07-28'] }] },
      '"methods[0].revisions[0]" must be "handshake" or "perRequest"',
    ],
    [
      'a notification without a handler',
      { notifications: [{ method: 'a/b', handle: 'no' }] },
      '"notifications[0].handle" must be a function',
    ],
    [
      'a subscription whose "open" is none',
      { subscriptions: [{ filter: 'a', grant: handle, open: true }] },
      '"subscriptions[0].open" must be a function',
    ],
    ['an interceptor that is none', { interceptToolCall: true }, '"interceptToolCall" must be a function'],
    [
      'an unknown stability',
      { stability: 'draft' },
      '"stability" must be "experimental" or "stable" or "deprecated"',
    ],
    ['no version', { specVersion: undefined }, '"specVersion" is required'],
    [
      'a capability that is none',
      { capabilities: { experimental: true } },
      '"capabilities.experimental" must be an object',
    ],
  ])('are refused by name: %s', (_what, members, text) => {
    const extension = { ...REPORTS, ...members } as unknown as McpExtension;
    expect(() => extensions.register(extension)).toThrow(
      `The extension "${ID}" cannot be registered: ${text}`,
    );
    expect(declaration.declares(ID)).toBe(false);
  });

  it('may be those of a class, which has others of its own', () => {
    class Reports {
      readonly id = ID;
      readonly specVersion = '1';
      readonly stability = 'stable';
      readonly title = 'Reports';
      readonly methods = [new Listing()];
    }
    class Listing {
      readonly method = 'reports/list';
      readonly titles: readonly string[] = [];
      handle() {
        return { reports: this.titles };
      }
    }
    extensions.register(new Reports());
    expect(methods.has('reports/list')).toBe(true);
  });
});
