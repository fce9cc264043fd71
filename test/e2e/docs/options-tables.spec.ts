import { describe, expect, it } from '@jest/globals';
import { buildServerSettings } from '../../../lib/settings/server-settings.js';
import { readPage } from './snippets.js';

const ROW = /^\| `(\w+(?:\.\w+)?)` +\| `([^`]+)`/gm;
const GROUPS = ['reverseCalls', 'sessions', 'streams', 'limits'] as const;

const settings: Readonly<Record<string, unknown>> = {
  ...buildServerSettings({ serverInfo: { name: 'shop', version: '1.0.0' } }),
};

function findDefault(option: string): unknown {
  const [group = '', member] = option.split('.');
  const value = settings[group];
  return member === undefined ? value : (value as Readonly<Record<string, unknown>>)[member];
}

/** The settings of the module itself stand in tables of the same form. */
function isOption(name: string): boolean {
  return !['server', 'isDefault', 'isGlobal', 'decorators'].includes(name);
}

/** Reads a default as the tables write it: `1_000`, `'/mcp'`, `false`, `[]`. */
function parseDefault(text: string): unknown {
  return JSON.parse(text.replaceAll(/(?<=\d)_(?=\d)/g, '').replaceAll("'", '"'));
}

describe.each(['README.md', 'docs/configuration.md'])('the options of %s', (page) => {
  const rows = [...readPage(page).matchAll(ROW)].map(([, option = '', text = '']) => ({ option, text }));
  const valued = rows.filter(({ option, text }) => isOption(option) && /^[\d'[tf]/.test(text));

  it('include every bound', () => {
    const bounds = GROUPS.flatMap((group) =>
      Object.keys(settings[group] as object).map((name) => `${group}.${name}`),
    );
    expect(rows.map(({ option }) => option)).toEqual(expect.arrayContaining(bounds));
  });

  it.each(valued)('give the default of "$option" as it is', ({ option, text }) => {
    expect(findDefault(option) ?? false).toEqual(parseDefault(text));
  });
});
