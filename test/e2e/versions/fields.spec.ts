import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import {
  HANDSHAKE_VERSIONS,
  initialize,
  PER_REQUEST_VERSION,
  perRequest,
} from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject } from '../../support/clients/message.js';
import { richApp } from './fields.app.js';

const VERSIONS = [...HANDSHAKE_VERSIONS, PER_REQUEST_VERSION];

/** All that the server tells a client of one revision. */
interface Told {
  readonly hello: JsonObject;
  readonly tool: JsonObject;
  readonly resource: JsonObject;
  readonly template: JsonObject;
  readonly prompt: JsonObject;
  readonly promptArgument: JsonObject;
  readonly call: JsonObject;
  readonly anyValue: JsonObject;
  readonly content: JsonObject[];
  readonly progress: JsonObject;
  readonly results: JsonObject[];
  readonly cacheable: JsonObject[];
}

type Field = [what: string, since: string, read: (told: Told) => unknown];

const LISTED_FIELDS = (['tool', 'resource', 'template', 'prompt'] as const).flatMap((kind): Field[] => [
  [`title of a ${kind}`, '2025-06-18', (told) => told[kind]['title']],
  [`_meta of a ${kind}`, '2025-06-18', (told) => told[kind]['_meta']],
  [`icons of a ${kind}`, '2025-11-25', (told) => told[kind]['icons']],
  [`description of a ${kind}`, '2024-11-05', (told) => told[kind]['description']],
]);

const FIELDS: Field[] = [
  ...LISTED_FIELDS,
  ['annotations of a tool', '2025-03-26', ({ tool }) => tool['annotations']],
  ['outputSchema of a tool', '2025-06-18', ({ tool }) => tool['outputSchema']],
  ['priority of a resource', '2024-11-05', ({ resource }) => member(resource, 'annotations', 'priority')],
  [
    'lastModified of a resource',
    '2025-06-18',
    ({ resource }) => member(resource, 'annotations', 'lastModified'),
  ],
  [
    'lastModified of a template',
    '2025-06-18',
    ({ template }) => member(template, 'annotations', 'lastModified'),
  ],
  ['title of a prompt argument', '2025-06-18', ({ promptArgument }) => promptArgument['title']],
  ['description of a prompt argument', '2024-11-05', ({ promptArgument }) => promptArgument['description']],
  ['title of the server', '2025-06-18', ({ hello }) => member(hello, 'serverInfo', 'title')],
  ['description of the server', '2025-11-25', ({ hello }) => member(hello, 'serverInfo', 'description')],
  ['website of the server', '2025-11-25', ({ hello }) => member(hello, 'serverInfo', 'websiteUrl')],
  ['icons of the server', '2025-11-25', ({ hello }) => member(hello, 'serverInfo', 'icons')],
  ['completions capability', '2025-03-26', ({ hello }) => member(hello, 'capabilities', 'completions')],
  ['structured content', '2025-06-18', ({ call }) => call['structuredContent']],
  ['structured content that is no object', '2026-07-28', ({ anyValue }) => anyValue['structuredContent']],
  ['text beside structured content', '2024-11-05', ({ call }) => (call['content'] as unknown[])[0]],
  ['audio', '2025-03-26', ({ content }) => content.find(({ type }) => type === 'audio')],
  ['resource link', '2025-06-18', ({ content }) => content.find(({ type }) => type === 'resource_link')],
  ['icons of a link', '2025-11-25', ({ content }) => content.find(({ icons }) => icons !== undefined)],
  ['priority of content', '2024-11-05', ({ content }) => member(content[2]!, 'annotations', 'priority')],
  [
    'lastModified of content',
    '2025-06-18',
    ({ content }) => member(content[2]!, 'annotations', 'lastModified'),
  ],
  ['total of progress', '2024-11-05', ({ progress }) => progress['total']],
  ['message of progress', '2025-03-26', ({ progress }) => progress['message']],
  ['resultType', '2026-07-28', ({ results }) => inAll(results, 'resultType')],
  ['ttlMs', '2026-07-28', ({ cacheable }) => inAll(cacheable, 'ttlMs')],
  ['cacheScope', '2026-07-28', ({ cacheable }) => inAll(cacheable, 'cacheScope')],
  ['server info on results', '2026-07-28', ({ results }) => inAll(results, '_meta', metaKey('serverInfo'))],
];

describe.each(ADAPTERS)('what each revision is told on %s', (adapter) => {
  const told = new Map<string, Told>();
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootApp({ adapter, ...richApp() });
    for (const version of VERSIONS) told.set(version, await listen(desk.url, version));
  });

  afterAll(() => desk.close());

  it.each(FIELDS)('emits the %s exactly from %s on (VER-03)', (_, since, read) => {
    const emitting = VERSIONS.filter((version) => read(told.get(version)!) !== undefined);
    expect(emitting).toEqual(VERSIONS.filter((version) => version >= since));
  });

  it.each(HANDSHAKE_VERSIONS)(
    'answers an empty result of %s with nothing in it (VER-03)',
    async (version) => {
      const session = await initialize(desk.url, { version });
      expect((await session.request('ping')).result).toEqual({});
      expect((await session.request('logging/setLevel', { level: 'info' })).result).toEqual({});
      expect((await session.request('resources/subscribe', { uri: 'desk://a' })).result).toEqual({});
    },
  );

  it.each(VERSIONS)('keeps the number of content blocks in %s (VER-03)', (version) => {
    expect(told.get(version)?.content).toHaveLength(3);
  });

  it.each(VERSIONS)('declares no tasks and nothing that is not served in %s (VER-03)', (version) => {
    const { capabilities } = told.get(version)!.hello as { capabilities: JsonObject };
    const known = ['completions', 'logging', 'prompts', 'resources', 'tools'];
    expect(known).toEqual(expect.arrayContaining(Object.keys(capabilities)));
  });
});

/** Asks for everything in one revision. */
async function listen(url: string, version: string): Promise<Told> {
  const session = version === PER_REQUEST_VERSION ? undefined : await initialize(url, { version });
  const client = session ?? perRequest(url);
  const ask = async (method: string, params?: JsonObject) => {
    const { result, error } = await client.request(method, params);
    if (result === undefined) throw new Error(`${version} ${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const call = await client.request('tools/call', { name: 'structured', _meta: { progressToken: 'p' } });
  const anyValue = await ask('tools/call', { name: 'anyValue' });
  const content = await ask('tools/call', { name: 'content' });
  const lists = [
    await ask('tools/list'),
    await ask('resources/list'),
    await ask('resources/templates/list'),
    await ask('prompts/list'),
  ];
  const [tool, resource, template, prompt] = lists.map(
    (list) => (Object.values(list).find(Array.isArray) ?? [])[0],
  );
  const cacheable = [...lists, await ask('resources/read', { uri: 'desk://a' })];
  const others = [
    anyValue,
    content,
    await ask('prompts/get', { name: 'prompt' }),
    await ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'prompt' },
      argument: { name: 'tone', value: '' },
    }),
  ];
  return {
    hello: session?.result ?? readDiscovery(await ask('server/discover')),
    tool,
    resource,
    template,
    prompt,
    promptArgument: prompt.arguments[0],
    call: call.result!,
    anyValue,
    content: content['content'] as JsonObject[],
    progress: call.notifications[0]?.params ?? {},
    results: [call.result!, ...others, ...cacheable],
    cacheable,
  };
}

/** Gives a discovery the shape of a handshake. */
function readDiscovery(discovery: JsonObject): JsonObject {
  return { ...discovery, serverInfo: member(discovery, '_meta', metaKey('serverInfo')) };
}

function member(value: JsonObject, ...path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as JsonObject | undefined)?.[name], value);
}

/** Gives something where all have the member, nothing where none has it, and fails where only some do. */
function inAll(values: JsonObject[], ...path: string[]): true | undefined {
  const having = values.filter((value) => member(value, ...path) !== undefined);
  if (having.length === 0) return undefined;
  if (having.length < values.length)
    throw new Error(`Only ${having.length} of ${values.length} have ${path.join('.')}`);
  return true;
}
