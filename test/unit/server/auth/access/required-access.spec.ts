import { describe, expect, it } from '@jest/globals';
import { RequiredAccess } from '../../../../../lib/server/auth/access/required-access.js';
import { REVISIONS } from '../../../../../lib/core/protocol/revisions.js';
import { TestCatalog } from '../../../support/catalog.js';
import { buildSettings } from '../../../support/settings.js';

const ANY_TOKEN = { scopes: [], isPublic: false };
const OPEN = { scopes: [], isPublic: true };
const needs = (...scopes: string[]) => ({ scopes, isPublic: false });

const catalog = new TestCatalog();
const { tools, resources, resourceTemplates, prompts } = catalog.entries;
const nothing = () => '';
const names = [{ name: 'name' }, { name: 'style' }];

tools.add({ name: 'plain' }, nothing);
tools.add({ name: 'close', requiredScopes: ['write', 'read'] }, nothing);
tools.add({ name: 'hours', isPublic: true }, nothing);
resources.add({ name: 'plain', uri: 'desk://plain' }, nothing);
resources.add({ name: 'all', uri: 'desk://tickets/all', requiredScopes: ['all'] }, nothing);
resources.add({ name: 'hours', uri: 'desk://hours', isPublic: true }, nothing);
resourceTemplates.add(
  { name: 'ticket', uriTemplate: 'desk://tickets/{id}', requiredScopes: ['read'] },
  nothing,
);
resourceTemplates.add({ name: 'day', uriTemplate: 'desk://hours/{day}', isPublic: true }, nothing);
prompts.add({ name: 'plain', arguments: names }, nothing);
prompts.add({ name: 'greet', arguments: names, requiredScopes: ['greet'] }, nothing);
prompts.add({ name: 'help', arguments: names, isPublic: true }, nothing);

const complete = (prompt: string, access?: object) =>
  catalog.addCompletion({ prompt, argument: 'name' }, () => [], access);
complete('plain', { requiredScopes: ['people'] });
complete('greet', { requiredScopes: ['people', 'greet'] });
complete('help');
catalog.addCompletion({ prompt: 'greet', argument: 'style' }, () => [], { isPublic: true });
catalog.addCompletion({ prompt: 'help', argument: 'style' }, () => [], { isPublic: true });
catalog.addCompletion({ resourceTemplate: 'desk://tickets/{id}', argument: 'id' }, () => []);
catalog.addCompletion({ resourceTemplate: 'desk://hours/{day}', argument: 'day' }, () => [], {
  requiredScopes: ['days'],
});

const settings = buildSettings({ sessions: { maxSubscriptions: 3 } });
const { tools: toolRegistry, resources: resourceRegistry, templates, prompts: promptRegistry } = catalog;
const required = new RequiredAccess(
  toolRegistry,
  resourceRegistry,
  templates,
  promptRegistry,
  catalog.completions,
  catalog.resourceAccess,
  settings,
);

const forPrompt = (name: unknown, argument: unknown = 'name') => ({
  ref: { type: 'ref/prompt', name },
  argument: { name: argument, value: '' },
});
const forTemplate = (uri: unknown, argument = 'id') => ({
  ref: { type: 'ref/resource', uri },
  argument: { name: argument, value: '' },
});

/** JSON may name what JavaScript calls to make a text of an object. */
const UNTEXTUAL = { toString: 1, valueOf: 1 };

type Row = readonly [params: object | undefined, access: object];

describe('What a request needs', () => {
  it.each<Row>([
    [{ name: 'plain' }, ANY_TOKEN],
    [{ name: 'close' }, needs('write', 'read')],
    [{ name: 'hours' }, OPEN],
    [{ name: 'unknown' }, ANY_TOKEN],
    [{ name: '__proto__' }, ANY_TOKEN],
    [{ name: ['hours'] }, ANY_TOKEN],
    [{}, ANY_TOKEN],
    [undefined, ANY_TOKEN],
  ])(
    'to call a tool is what that declares, and a token for an unknown one: %j (STEP-01)',
    (params, access) => {
      expect(required.find('tools/call', params as never)).toEqual(access);
    },
  );

  it.each<Row>([
    [{ name: 'plain' }, ANY_TOKEN],
    [{ name: 'greet' }, needs('greet')],
    [{ name: 'help' }, OPEN],
    [{ name: 'unknown' }, ANY_TOKEN],
  ])('to get a prompt is what that declares: %j (STEP-01)', (params, access) => {
    expect(required.find('prompts/get', params as never)).toEqual(access);
  });

  it.each<Row>([
    [{ uri: 'desk://plain' }, ANY_TOKEN],
    [{ uri: 'desk://tickets/all' }, needs('all')],
    [{ uri: 'desk://tickets/7' }, needs('read')],
    [{ uri: 'desk://hours' }, OPEN],
    [{ uri: 'desk://hours/monday' }, OPEN],
    [{ uri: 'desk://unknown' }, ANY_TOKEN],
    [{ uri: { href: 'desk://hours' } }, ANY_TOKEN],
    [{}, ANY_TOKEN],
  ])(
    'to read or to follow a resource is what it or its template declares: %j (STEP-01)',
    (params, access) => {
      for (const method of ['resources/read', 'resources/subscribe', 'resources/unsubscribe']) {
        expect(required.find(method, params as never)).toEqual(access);
      }
    },
  );

  it.each<Row>([
    [forPrompt('plain'), needs('people')],
    [forPrompt('plain', 'style'), ANY_TOKEN],
    [forPrompt('greet'), needs('greet', 'people')],
    [forPrompt('greet', 'style'), needs('greet')],
    [forPrompt('greet', 'unknown'), needs('greet')],
    [forPrompt('help'), OPEN],
    [forPrompt('help', 'style'), OPEN],
    [forPrompt('unknown'), ANY_TOKEN],
    [forTemplate('desk://tickets/{id}'), needs('read')],
    [forTemplate('desk://hours/{day}', 'day'), needs('days')],
    [forTemplate('desk://hours/{day}', 'other'), OPEN],
    [forTemplate('desk://tickets/all'), needs('all')],
    [forTemplate('desk://hours'), OPEN],
    [forTemplate('desk://unknown'), ANY_TOKEN],
    [{ ref: { type: 'ref/prompt', uri: 'desk://hours' } }, ANY_TOKEN],
    [{ ref: { type: 'ref/prompt', name: 'help' } }, OPEN],
    [{ ref: { type: 'ref/prompt', name: 'greet' }, argument: 'name' }, needs('greet')],
    [{ ref: 'help' }, ANY_TOKEN],
    [{}, ANY_TOKEN],
  ])(
    'to complete is what the completed needs, besides what the completion does: %j (STEP-01)',
    (params, access) => {
      expect(required.find('completion/complete', params as never)).toEqual(access);
    },
  );

  it.each<Row>([
    [forPrompt(UNTEXTUAL), ANY_TOKEN],
    [forTemplate(UNTEXTUAL), ANY_TOKEN],
    [forPrompt('greet', UNTEXTUAL), needs('greet')],
  ])('to complete is told of what is no text too: %j (SAFE-01)', (params, access) => {
    expect(required.find('completion/complete', params as never)).toEqual(access);
  });

  const listen = (resourceSubscriptions: unknown) =>
    required.find('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourceSubscriptions },
    });

  it.each<[unknown, object]>([
    [undefined, OPEN],
    [[], OPEN],
    ['desk://tickets/all', OPEN],
    [['desk://hours', 'desk://hours/monday'], OPEN],
    [['desk://hours', 'desk://plain'], ANY_TOKEN],
    [['desk://hours', 'desk://unknown'], ANY_TOKEN],
    [['desk://hours', 7], ANY_TOKEN],
    [['desk://tickets/7', 'desk://hours', 'desk://tickets/all'], needs('read', 'all')],
    [['desk://tickets/7', 'desk://tickets/8'], needs('read')],
  ])('to listen is what every followed resource needs: %j (STEP-01)', (uris, access) => {
    expect(listen(uris)).toEqual(access);
  });

  it('to listen to more resources than may be is a token, and nothing is looked up (SAFE-01)', () => {
    expect(listen(Array.from({ length: 4 }, () => 'desk://tickets/all'))).toEqual(ANY_TOKEN);
    expect(listen(Array.from({ length: 1_000_000 }, () => 'desk://hours'))).toEqual(ANY_TOKEN);
  });

  it('to listen is told of a caller without a token by the first resource that needs one (SAFE-03)', () => {
    const find = (isAnonymous: boolean, ...uris: string[]) =>
      required.find(
        'subscriptions/listen',
        { notifications: { resourceSubscriptions: uris } },
        { isAnonymous },
      );
    expect(find(true, 'desk://hours', 'desk://plain', 'desk://tickets/7')).toEqual(ANY_TOKEN);
    expect(find(true, 'desk://tickets/7', 'desk://tickets/all')).toEqual(needs('read'));
    expect(find(true, 'desk://hours', 'desk://hours/monday')).toEqual(OPEN);
    expect(find(false, 'desk://tickets/7', 'desk://tickets/all')).toEqual(needs('read', 'all'));
  });

  it('to listen is a token where there are too many characters, or the revision has no such method (SAFE-03)', () => {
    const tickets = { notifications: { resourceSubscriptions: ['desk://tickets/7'] } };
    const long = { notifications: { resourceSubscriptions: [`desk://tickets/${'7'.repeat(262_144)}`] } };
    expect(required.find('subscriptions/listen', long)).toEqual(ANY_TOKEN);
    for (const revision of REVISIONS) {
      const access = required.find('subscriptions/listen', tickets, { revision });
      expect(access).toEqual(revision.methods.has('subscriptions/listen') ? needs('read') : ANY_TOKEN);
    }
  });

  it('to listen follows what is declared while the server runs (MOD-06) (STEP-01)', () => {
    const plain = new TestCatalog();
    const access = new RequiredAccess(
      plain.tools,
      plain.resources,
      plain.templates,
      plain.prompts,
      plain.completions,
      plain.resourceAccess,
      settings,
    );
    const find = () =>
      access.find('subscriptions/listen', { notifications: { resourceSubscriptions: ['desk://hours'] } });
    plain.entries.resources.add({ name: 'plain', uri: 'desk://plain' }, nothing);
    expect(find()).toEqual(ANY_TOKEN);
    plain.entries.resources.add({ name: 'hours', uri: 'desk://hours', isPublic: true }, nothing);
    expect(find()).toEqual(OPEN);
    plain.entries.resources.remove('desk://hours');
    expect(find()).toEqual(ANY_TOKEN);
  });

  it.each([undefined, {}, { notifications: null }, { notifications: [] }])(
    'to listen is nothing where nothing is asked for: %j (STEP-06)',
    (params) => {
      expect(required.find('subscriptions/listen', params as never)).toEqual(OPEN);
    },
  );

  it('is a token for every method but those that shake hands and show lists (STEP-06)', () => {
    const methods = [...new Set(REVISIONS.flatMap((revision) => [...revision.methods]))];
    const open = methods.filter((method) => required.find(method, {}).isPublic);
    expect(open.toSorted()).toEqual([
      'initialize',
      'logging/setLevel',
      'ping',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
      'server/discover',
      'subscriptions/listen',
      'tools/list',
    ]);
    for (const method of ['tasks/get', 'acme/search', 'constructor', '']) {
      expect(required.find(method)).toEqual(ANY_TOKEN);
    }
  });
});
