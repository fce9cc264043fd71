import {
  ClassSerializerInterceptor,
  Injectable,
  Scope,
  type INestApplication,
  type Provider,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpCatalog } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { publishedClient } from '../../../support/clients/task-wires.js';
import { Account, CONTROLLERS, HANDLERS, SECRET, SHAPES, useSerializer } from './accounts.app.js';

/** An application has its own, for documents of a database or for dates. */
@Injectable()
class OwnSerializer extends ClassSerializerInterceptor {}

interface Registration {
  readonly providers?: Provider[];
  readonly configure?: (app: INestApplication) => void;
}

const REGISTRATIONS: readonly (readonly [string, Registration])[] = [
  ['useGlobalInterceptors()', { configure: (app) => useSerializer(app) }],
  ['APP_INTERCEPTOR', { providers: [{ provide: APP_INTERCEPTOR, useClass: ClassSerializerInterceptor }] }],
  ['a subclass', { providers: [{ provide: APP_INTERCEPTOR, useClass: OwnSerializer }] }],
  [
    'APP_INTERCEPTOR in request scope',
    { providers: [{ provide: APP_INTERCEPTOR, useClass: OwnSerializer, scope: Scope.REQUEST }] },
  ],
  [
    'options that hide all',
    { configure: (app) => useSerializer(app, { strategy: 'excludeAll', groups: ['admin'] }) },
  ],
];

const CASES = ADAPTERS.flatMap((adapter) =>
  REGISTRATIONS.map(([name, registration]) => [name, adapter, registration] as const),
);

interface Answer {
  readonly structuredContent?: unknown;
  readonly content: readonly [{ readonly text: string }];
}

describe.each(CASES)('A global serializer, by %s, on %s', (name, adapter, registration) => {
  let desk: RunningApp;
  let client: Client;

  beforeAll(async () => {
    const { providers = [], ...options } = registration;
    desk = await bootServer({
      adapter,
      options: { tasks: true },
      ...options,
      controllers: CONTROLLERS,
      providers: [...HANDLERS, ...providers],
    });
    const catalog = desk.app.get(McpCatalog);
    catalog.tools.add({ name: 'function' }, () => new Account());
    client = new Client({ name: 'reader', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(desk.url)));
  });

  afterAll(async () => {
    await client.close();
    await desk.close();
  });

  const route = async (path: string): Promise<unknown> => (await fetch(`${desk.origin}/${path}`)).json();

  /** The text has the same as the structured content, which lists are not in this revision. */
  async function call(tool: string): Promise<unknown> {
    const { structuredContent, content } = (await client.callTool({ name: tool })) as unknown as Answer;
    const told: unknown = JSON.parse(content[0].text);
    expect(structuredContent ?? told).toEqual(told);
    return told;
  }

  it.each(SHAPES)('makes of a tool’s result what it makes of its route’s: %s (APP-01)', async (shape) => {
    const answer = await route(`accounts/${shape}`);
    expect(await call(shape)).toEqual(answer);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  it.each(['grouped', 'typed', 'typed-list'])('reads the decorators of %s (APP-01)', async (shape) => {
    const answer = await route(`described/${shape}`);
    expect(await call(shape)).toEqual(answer);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  it.each(['of-provider', 'full-result', 'function'])('serializes for %s (APP-01)', async (tool) => {
    expect(await call(tool)).toEqual(await route('accounts/one'));
  });

  it('serializes what work that continues as a task gives (APP-01)', async () => {
    const answer = { id: 8, email: 'bob@example.com' };
    expect(await call('of-task')).toEqual(answer);
    const tasks = publishedClient(desk.url);
    const { taskId } = await tasks.create('of-task');
    const { result } = await tasks.reach(taskId);
    expect(result).toMatchObject({ structuredContent: answer });
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  it('serializes for resources (APP-01)', async () => {
    const { contents } = await client.readResource({ uri: 'desk://account' });
    const [{ text }] = contents as unknown as readonly [{ readonly text: string }];
    expect(JSON.parse(text)).toEqual(await route('accounts/one'));
  });

  it('leaves the protocol’s own results, and bytes, as they are (APP-01)', async () => {
    const content = [{ type: 'text', text: 'hello' }];
    expect(await client.callTool({ name: 'content' })).toMatchObject({ content });
    expect(await client.callTool({ name: 'image' })).toMatchObject({
      content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }],
    });
    expect(await client.readResource({ uri: 'desk://bytes' })).toMatchObject({
      contents: [{ blob: 'aGk=' }],
    });
    expect(await client.readResource({ uri: 'desk://contents' })).toMatchObject({
      contents: [{ blob: 'aGk=' }],
    });
    expect(await client.getPrompt({ name: 'greeting' })).toMatchObject({
      messages: [{ content: { text: 'hello' } }],
    });
  });

  it(`has run: ${name} (APP-01)`, async () => {
    expect(await route('accounts/visit')).toEqual({ page: '/home' });
  });
});
