import { describe, expect, it } from '@jest/globals';
import { IsString } from 'class-validator';
import { z } from 'zod';
import {
  buildPromptEntry,
  buildResourceEntry,
  buildResourceTemplateEntry,
  buildToolEntry,
} from '../../../../../lib/server/catalog/building/build-entries.js';

const answer = () => 'answer';
const listed = {
  title: 'A title',
  description: 'What it is for',
  icons: [{ src: 'https://desk.example/icon.svg' }],
  _meta: { 'example.desk/team': 'support' },
};

class GreetingDto {
  @IsString()
  name!: string;
}

describe('A tool entry', () => {
  it('shows in its definition all that a list can show (CORE-07)', () => {
    const annotations = { readOnlyHint: true, experimental: true };
    const { key, definition } = buildToolEntry({ name: 'search', ...listed, annotations }, answer);
    expect(key).toBe('search');
    expect(definition).toEqual({
      name: 'search',
      ...listed,
      annotations,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    });
  });

  it.each([
    ['a Standard Schema', z.object({ name: z.string() })],
    ['a JSON Schema', { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }],
    ['a DTO class', GreetingDto],
  ])('compiles %s for input and output (MOD-07) (MOD-08)', async (_source, schema) => {
    const entry = buildToolEntry({ name: 'greet', inputSchema: schema, outputSchema: schema }, answer);
    expect(entry.definition.inputSchema).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' } },
    });
    expect(entry.definition.outputSchema).toMatchObject({ required: ['name'] });
    await expect(Promise.resolve(entry.input.validate({ name: 7 }))).resolves.toMatchObject({ valid: false });
    await expect(Promise.resolve(entry.output?.validate({ name: 'Ada' }))).resolves.toMatchObject({
      valid: true,
    });
  });

  it('takes no arguments without an input schema', async () => {
    const { input, output } = buildToolEntry({ name: 'ping' }, answer);
    expect(await input.validate({})).toMatchObject({ valid: true });
    expect(await input.validate({ stray: 1 })).toMatchObject({ valid: false });
    expect(output).toBeUndefined();
  });

  it('finds the arguments that requests repeat as headers', () => {
    const inputSchema = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    };
    const { parameterHeaders } = buildToolEntry({ name: 'deploy', inputSchema }, answer);
    expect(parameterHeaders).toEqual([{ header: 'mcp-param-region', path: ['region'], type: 'string' }]);
  });

  it('refuses a header that no client could send', () => {
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': '' } } };
    expect(() => buildToolEntry({ name: 'deploy', inputSchema }, answer)).toThrow(/x-mcp-header/);
  });

  it('refuses a name outside the published rule (CORE-08)', () => {
    expect(() => buildToolEntry({ name: 'get user' }, answer)).toThrow(
      /"get user" contains the character " "/,
    );
  });

  it.each([0, -1, Number.NaN, Infinity, 2 ** 31])('refuses a time-out of %d (MOD-11)', (timeoutMs) => {
    expect(() => buildToolEntry({ name: 'slow', timeoutMs }, answer)).toThrow(
      /"timeoutMs" is .*: use a number of milli/,
    );
  });
});

describe('A resource entry', () => {
  it('shows in its definition all that a list can show (CORE-07)', () => {
    const shown = {
      uri: 'desk://open',
      name: 'open',
      ...listed,
      mimeType: 'text/plain',
      size: 7,
      annotations: { audience: ['user' as const], experimental: true },
    };
    const cache = { ttlMs: 1000, scope: 'public' as const };
    const entry = buildResourceEntry({ ...shown, cache }, answer);
    expect(entry).toMatchObject({ key: 'desk://open', cache });
    expect(entry.definition).toEqual(shown);
  });

  it.each(['', 'open', '/open', 'http://', 'desk://a b'])('refuses the URI %j (MOD-11)', (uri) => {
    expect(() => buildResourceEntry({ uri, name: 'open' }, answer)).toThrow(
      `The option "uri" is "${uri}": use an absolute URI such as "desk://open"`,
    );
  });

  it.each(['desk://tickets/{id}', 'desk://{'])('refuses the template %j as a URI (MOD-11)', (uri) => {
    expect(() => buildResourceEntry({ uri, name: 'ticket' }, answer)).toThrow(
      `The option "uri" is "${uri}" and contains "{": use @ResourceTemplate()`,
    );
  });

  it('refuses a size and a cache hint that clients could not read (MOD-11)', () => {
    const named = { uri: 'desk://open', name: 'open' };
    expect(() => buildResourceEntry({ ...named, size: -1 }, answer)).toThrow(/"size" is -1: use a whole/);
    const cache = { ttlMs: 0.5, scope: 'private' as const };
    expect(() => buildResourceEntry({ ...named, cache }, answer)).toThrow(
      /"cache" is .*set "ttlMs" to a whole/,
    );
  });
});

describe('A resource template entry', () => {
  it('shows in its definition all that a list can show (CORE-07)', () => {
    const shown = {
      uriTemplate: 'ticket://{id}',
      name: 'ticket',
      ...listed,
      mimeType: 'application/json',
      annotations: { priority: 1, experimental: true },
    };
    const entry = buildResourceTemplateEntry(shown, answer);
    expect(entry.definition).toEqual(shown);
    expect(entry.template.variables).toEqual(['id']);
  });

  it('refuses what is no template (MOD-11)', () => {
    expect(() => buildResourceTemplateEntry({ uriTemplate: 'ticket://{id', name: 'ticket' }, answer)).toThrow(
      /The URI template "ticket:\/\/\{id"/,
    );
  });

  it.each(['web://{+uri}', 'web://pages{?id,uri}'])(
    'refuses in %j the variable that its handler could not get (MOD-11)',
    (uriTemplate) => {
      expect(() => buildResourceTemplateEntry({ uriTemplate, name: 'page' }, answer)).toThrow(
        'The option "uriTemplate" contains a variable "uri", but handlers receive the whole URI under that name: rename the variable',
      );
    },
  );
});

describe('A prompt entry', () => {
  it('shows in its definition all that a list can show (CORE-07)', () => {
    const shown = {
      name: 'greet',
      ...listed,
      arguments: [{ name: 'name', title: 'Name', description: 'Whom to greet', required: true }],
      annotations: { experimental: true },
    };
    const entry = buildPromptEntry(shown, answer);
    expect(entry.definition).toEqual(shown);
    expect(entry.input).toBeUndefined();
  });

  it('lists the properties of a schema as arguments (MOD-07)', async () => {
    const schema = z.object({
      name: z.string().describe('Whom to greet'),
      style: z.string().optional().meta({ title: 'Style' }),
    });
    const { definition, input } = buildPromptEntry({ name: 'greet', arguments: schema }, answer);
    expect(definition.arguments).toEqual([
      { name: 'name', description: 'Whom to greet', required: true },
      { name: 'style', title: 'Style', required: false },
    ]);
    expect(await input?.validate({})).toMatchObject({ valid: false });
  });

  it('has no arguments member without arguments', () => {
    expect(buildPromptEntry({ name: 'greet' }, answer).definition).toEqual({ name: 'greet' });
  });

  it('refuses two arguments of one name (MOD-11)', () => {
    const twice = [{ name: 'name' }, { name: 'name' }];
    expect(() => buildPromptEntry({ name: 'greet', arguments: twice }, answer)).toThrow(
      /The argument "name" already exists/,
    );
  });
});
