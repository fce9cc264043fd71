import { describe, expect, it } from '@jest/globals';
import { assertExtensionId, ExtensionError } from '../../../../lib/server/dispatch/assert-extension.js';

const OWN = { specVersion: '1', stability: 'stable' } as const;

describe('assertExtensionId', () => {
  it.each(['com.example/a', 'c.e/A9', 'my-org.x1.example/my_ext-1.0', 'COM.Example/Reports'])(
    'takes the id %j (EXT-01)',
    (id) => {
      expect(() => assertExtensionId({ ...OWN, id })).not.toThrow();
    },
  );

  it.each([
    'reports',
    'com/reports',
    '/reports',
    'com.example/',
    'com.example/a/b',
    'com.-example/a',
    'com-.example/a',
    'com.example-/a',
    '1com.example/a',
    'com.1example/a',
    'com..example/a',
    'com.example/-a',
    'com.example/a-',
    'com.example/a b',
    'com_x.example/a',
    ' com.example/a',
    'com.example/a ',
  ])('refuses the id %j (EXT-01) (MOD-11)', (id) => {
    const check = () => assertExtensionId({ ...OWN, id });
    expect(check).toThrow(ExtensionError);
    expect(check).toThrow(`The extension "${id}" must have an id such as "com.example/reports"`);
  });

  it.each([
    'io.modelcontextprotocol/skills',
    'IO.ModelContextProtocol/skills',
    'org.modelcontextprotocol.api/skills',
    'dev.mcp/skills',
    'com.mcp.tools/skills',
  ])('takes the id %j, which is reserved, for a published extension alone (EXT-01) (MOD-11)', (id) => {
    expect(() => assertExtensionId({ ...OWN, id })).toThrow(
      `The extension "${id}" has a prefix that is reserved for the protocol`,
    );
    expect(() => assertExtensionId({ id, published: {} })).not.toThrow();
  });

  it.each(['com.example.mcp/a', 'com.mcpx/a', 'mcp.example/a', 'io.modelcontextprotocols/a'])(
    'reserves no id such as %j (EXT-01)',
    (id) => {
      expect(() => assertExtensionId({ ...OWN, id })).not.toThrow();
    },
  );

  it.each([true, null, 'settings', []])('refuses %j for settings (EXT-01) (MOD-11)', (published) => {
    const extension = { id: 'io.modelcontextprotocol/skills', published } as unknown as {
      id: string;
      published: {};
    };
    expect(() => assertExtensionId(extension)).toThrow(
      'must have a "published" object: the settings that its specification defines',
    );
  });
});
