import { Injectable } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import {
  Claims,
  Complete,
  EventSource,
  McpCatalog,
  McpModule,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from 'nestjs-mcp';
import { McpClientModule, McpElicitation, McpRoots } from 'nestjs-mcp/client-module';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { bootServer } from '../../support/applications/server.js';

/** Options as code gives them that no compiler has checked. */
const unchecked = (options: unknown): never => options as never;

const server = McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, events: true });
const clients = McpClientModule.forRoot([{ name: 'desk', url: 'http://127.0.0.1:1/mcp' }]);

/** Starts an application with a method that is decorated so, and gives why it does not start. */
async function explain(decorate: MethodDecorator): Promise<string> {
  @Injectable()
  class Desk {
    answer() {
      return of({});
    }
  }
  decorate(Desk.prototype, 'answer', Object.getOwnPropertyDescriptor(Desk.prototype, 'answer')!);
  return (await bootFailure({ imports: [server, clients], providers: [Desk] })).message;
}

describe('An unknown option of a decorator', () => {
  it.each<[string, MethodDecorator, string, string]>([
    ['@Tool()', Tool(unchecked({ descripton: 'Closes' })), 'descripton', 'description'],
    ['@Tool()', Tool(unchecked({ parameters: { type: 'object' } })), 'parameters', 'inputSchema'],
    ['@Tool()', Tool(unchecked({ schema: {} })), 'schema', 'inputSchema'],
    ['@Tool()', Tool(unchecked({ output: {} })), 'output', 'outputSchema'],
    ['@Tool()', Tool(unchecked({ timeout: 5 })), 'timeout', 'timeoutMs'],
    [
      '@Tool()',
      Tool(unchecked({ annotations: { readOnly: true } })),
      'annotations.readOnly',
      'annotations.readOnlyHint',
    ],
    ['@Tool()', Tool(unchecked({ icons: [{ scr: 'x' }] })), 'icons[0].scr', 'icons[0].src'],
    ['@Resource()', Resource(unchecked({ uri: 'a://b', mimetype: 'text/plain' })), 'mimetype', 'mimeType'],
    [
      '@Resource()',
      Resource(unchecked({ uri: 'a://b', cache: { ttlMs: 1, scope: 'public', ttl: 1 } })),
      'cache.ttl',
      'cache.ttlMs',
    ],
    ['@ResourceTemplate()', ResourceTemplate(unchecked({ uri: 'a://{b}' })), 'uri', 'uriTemplate'],
    ['@Prompt()', Prompt(unchecked({ args: [] })), 'args', 'arguments'],
    ['@Prompt()', Prompt(unchecked({ inputSchema: {} })), 'inputSchema', 'arguments'],
    [
      '@Prompt()',
      Prompt(unchecked({ arguments: [{ name: 'a', requried: true }] })),
      'arguments[0].requried',
      'arguments[0].required',
    ],
    ['@Complete()', Complete(unchecked({ promt: 'ask', argument: 'a' })), 'promt', 'prompt'],
    ['@EventSource()', EventSource(unchecked({ schema: {} })), 'schema', 'payloadSchema'],
  ])(
    'stops the start, and names the nearest: %s %#, (NEST-03)',
    async (decorator, decorate, option, near) => {
      const message = await explain(decorate);
      expect(message).toContain(
        `${decorator} on "Desk.answer": "${option}" (did you mean "${near}"?) is not a known option`,
      );
    },
  );

  it('stops the start of a client too (NEST-03)', async () => {
    const message = await explain(McpElicitation(unchecked({ clent: 'desk' })));
    expect(message).toContain('"Desk.answer" has an invalid option in @McpElicitation()');
    expect(message).toContain('"clent" (did you mean "client"?) is not a known option');
  });

  it('is a claim that there is not (NEST-03)', async () => {
    @Injectable()
    class Desk {
      @Tool()
      answer(@Claims(unchecked('subject')) _subject: string) {
        return 'answer';
      }
    }
    const { message } = await bootFailure({ imports: [server], providers: [Desk] });
    expect(message).toContain('@Tool() on "Desk.answer": The parameter at index [0] has @Claims("subject")');
  });

  it('is told of to whoever adds a handler while the server runs (NEST-03)', async () => {
    const desk = await bootServer();
    const { tools } = desk.app.get(McpCatalog);
    expect(() => tools.add(unchecked({ name: 'a', requiredScope: ['b'] }), () => 'a')).toThrow(
      'The tool "a" cannot be listed: "requiredScope" (did you mean "requiredScopes"?) is not a known option',
    );
    await desk.close();
  });
});

describe('A value of another type', () => {
  it.each<[string, MethodDecorator, string]>([
    ['@Tool()', Tool(unchecked('search')), '"options" must be an object with name'],
    ['@Tool()', Tool(unchecked({ description: 5 })), '"description" must be a string'],
    ['@Tool()', Tool(unchecked({ title: {} })), '"title" must be a string'],
    ['@Tool()', Tool(unchecked({ icons: {} })), '"icons" must be an array'],
    ['@Tool()', Tool(unchecked({ _meta: 'a' })), '"_meta" must be an object'],
    ['@Tool()', Tool(unchecked({ inputSchema: 5 })), 'input schema'],
    [
      '@Tool()',
      Tool(unchecked({ annotations: { readOnlyHint: 'yes' } })),
      '"annotations.readOnlyHint" must be true or false',
    ],
    ['@Tool()', Tool(unchecked({ isPublic: true })), 'use @Public() on the method'],
    [
      '@Resource()',
      Resource(unchecked({ uri: 'a://b', annotations: { priority: 2 } })),
      '"annotations.priority" must be a number from 0 to 1',
    ],
    ['@Prompt()', Prompt(unchecked({ arguments: 5 })), 'schema'],
    ['@Complete()', Complete(unchecked({ argument: 'a' })), '"prompt" is required'],
    [
      '@Complete()',
      Complete(unchecked({ prompt: 'a', resourceTemplate: 'b', argument: 'a' })),
      '"resourceTemplate" cannot be combined with "prompt"',
    ],
    ['@EventSource()', EventSource(unchecked({ filter: 'all' })), '"filter" must be a function'],
  ])('stops the start, and says where: %s %#, (NEST-03)', async (decorator, decorate, expected) => {
    const message = await explain(decorate);
    expect(message).toContain(`${decorator} on "Desk.answer": `);
    expect(message.toLowerCase()).toContain(expected.toLowerCase());
  });

  it('stops the start of a client too (NEST-03)', async () => {
    expect(await explain(McpElicitation(unchecked({ url: 'yes' })))).toContain('"url" must be true or false');
    expect(await explain(McpRoots(unchecked({ client: 'desk' })))).toContain(
      '"client" must be a non-empty string',
    );
    expect(await explain(McpElicitation(unchecked(5)))).toContain(
      '"options" must be an object with client, url',
    );
  });
});
