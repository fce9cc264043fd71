import { Injectable, type Provider } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import {
  Complete,
  Prompt,
  ResourceTemplate,
  Resource,
  Tool,
} from '../../../../../lib/server/decorators/handler.decorators.js';
import { bootCatalog } from '../boot-catalog.js';

/** Makes a class whose one method carries the decorators. */
function decorate(...decorators: MethodDecorator[]): Provider {
  @Injectable()
  class Desk {
    answer() {
      return 'answer';
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(Desk.prototype, 'answer')!;
  for (const decorator of decorators.toReversed()) decorator(Desk.prototype, 'answer', descriptor);
  return Desk;
}

const start = (...providers: Provider[]) => bootCatalog({ providers });

describe('Start-up', () => {
  it.each<[string, MethodDecorator, string]>([
    [
      'a tool name',
      Tool({ name: 'get user' }),
      '@Tool() on "Desk.answer": The tool name "get user" contains the character " ": use only letters, digits, "_", "-" and "."',
    ],
    [
      'a URI',
      Resource({ uri: 'open' }),
      '@Resource() on "Desk.answer": The option "uri" is "open": use an absolute URI such as "desk://open"',
    ],
    [
      'a URI template',
      ResourceTemplate({ uriTemplate: 'x://{' }),
      '@ResourceTemplate() on "Desk.answer": The URI',
    ],
    [
      'an input schema',
      Tool({ inputSchema: { type: 'string' } }),
      '@Tool() on "Desk.answer": The input schema',
    ],
    [
      'an output schema',
      Tool({ outputSchema: { type: 'strange' } }),
      '@Tool() on "Desk.answer": The output schema',
    ],
    [
      'prompt arguments',
      Prompt({ arguments: [{ name: '' }] }),
      '@Prompt() on "Desk.answer": The option "arguments[].name" is ""',
    ],
    [
      'prompt arguments by schema',
      Prompt({ arguments: { type: 'object', properties: { days: { type: 'integer' } } } }),
      '@Prompt() on "Desk.answer": The option "arguments" defines "days" as "integer"',
    ],
    [
      'a header annotation',
      Tool({
        inputSchema: { type: 'object', properties: { list: { type: 'array', 'x-mcp-header': 'List' } } },
      }),
      '@Tool() on "Desk.answer": The annotation "x-mcp-header"',
    ],
  ])(
    'fails for %s that cannot be used, and says where it stands (CORE-08) (MOD-11)',
    async (_what, decorator, text) => {
      await expect(start(decorate(decorator))).rejects.toThrow(text);
    },
  );

  it.each<[string, MethodDecorator, MethodDecorator]>([
    ['tool "one"', Tool({ name: 'one' }), Tool({ name: 'one' })],
    ['prompt "one"', Prompt({ name: 'one' }), Prompt({ name: 'one' })],
    ['resource "x://1"', Resource({ uri: 'x://1' }), Resource({ uri: 'x://1' })],
    [
      'resource template "x://{n}"',
      ResourceTemplate({ uriTemplate: 'x://{n}' }),
      ResourceTemplate({ uriTemplate: 'x://{n}' }),
    ],
    [
      'completion of prompt "one", argument "name"',
      Complete({ prompt: 'one', argument: 'name' }),
      Complete({ prompt: 'one', argument: 'name' }),
    ],
  ])('fails for a second %s and names both places (CORE-08)', async (subject, first, second) => {
    await expect(start(decorate(first), decorate(second))).rejects.toThrow(
      new RegExp(
        `on "Desk\\.answer": The ${escape(subject)} is already used by @\\w+\\(\\) on "Desk\\.answer"`,
      ),
    );
  });

  it.each<[string, MethodDecorator, string]>([
    [
      'an unknown prompt',
      Complete({ prompt: 'gone', argument: 'name' }),
      'There is no prompt "gone" to complete',
    ],
    [
      'an unknown argument',
      Complete({ prompt: 'answer', argument: 'nam' }),
      'The prompt "answer" has no argument "nam": use one of "name", "style"',
    ],
    [
      'an unknown template',
      Complete({ resourceTemplate: 'x://{id}', argument: 'id' }),
      'There is no resource template "x://{id}" to complete',
    ],
    [
      'an unknown variable',
      Complete({ resourceTemplate: 'desk://{id}', argument: 'name' }),
      'The resource template "desk://{id}" has no argument "name": use one of "id"',
    ],
  ])('fails for a completion of %s (MOD-11)', async (_what, decorator, text) => {
    const prompt = decorate(Prompt({ arguments: [{ name: 'name' }, { name: 'style' }] }));
    const template = decorate(ResourceTemplate({ uriTemplate: 'desk://{id}' }));
    await expect(start(prompt, template, decorate(decorator))).rejects.toThrow(
      `@Complete() on "Desk.answer": ${text}`,
    );
  });

  it('fails for decorators that do not go together (MOD-11)', async () => {
    await expect(start(decorate(Tool(), Prompt()))).rejects.toThrow(
      '@Tool() on "Desk.answer": @Tool() and @Prompt() cannot be combined on one method: use a separate method for each',
    );
  });
});

function escape(text: string): string {
  return text.replace(/[{}/]/g, '\\$&');
}
