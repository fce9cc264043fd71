import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPTION_NAMES } from '../../../lib/server/settings/checks/assert-options.js';
import { buildServerSettings } from '../../../lib/server/settings/server-settings.js';
import { isValue, parseDefault, readMembers } from './option-members.js';
import { readPage, ROOT } from './snippets.js';

/** An option with its default, where that is code. */
const ROW = /^\| `(\w+(?:\.\w+)*)` +\| `([^`]+)`/gm;
const NAME = /^\| `(auth(?:\.\w+)*)` +\|/gm;
const GROUPS = ['reverseCalls', 'sessions', 'streams', 'shutdown', 'limits', 'tasks'] as const;

/** Where the members of an interface stand among the options. */
const AUTH_INTERFACES: readonly (readonly [name: string, path: string])[] = [
  ['AuthOptions', 'auth'],
  ['BearerOptions', 'auth.bearer'],
  ['JwtOptions', 'auth.jwt'],
  ['JwksOptions', 'auth.jwt.jwks'],
  ['IntrospectionOptions', 'auth.introspection'],
  ['TokenExchangeOptions', 'auth.exchange'],
  ['DpopOptions', 'auth.dpop'],
];

/** Members that a table of their own stands for. */
const TABLES: ReadonlySet<string> = new Set(['auth.jwt.jwks']);

const settings: Readonly<Record<string, unknown>> = {
  ...buildServerSettings({
    serverInfo: { name: 'shop', version: '1.0.0' },
    events: true,
    skills: {},
    tasks: true,
    throttle: true,
    telemetry: { tracerProvider: { getTracer: () => undefined } },
    auth: {
      resourceUri: 'https://shop.example.com/mcp',
      authorizationServers: ['https://login.example.com'],
      bearer: 'a-fixed-token-of-the-shop',
      jwt: {},
      introspection: { clientId: 'shop', clientSecret: 'secret' },
      exchange: { clientId: 'shop', clientSecret: 'secret' },
      dpop: 'allowed',
    },
  }),
};

/** Where an option takes several, the first one shows the defaults of each. */
function findDefault(option: string): unknown {
  return option.split('.').reduce<unknown>((group, name) => {
    const value = (group as Readonly<Record<string, unknown>>)[name];
    const isList = Array.isArray(value) && typeof value[0] === 'object';
    return isList ? (value[0] as unknown) : value;
  }, settings);
}

const OTHER_SETTINGS: ReadonlySet<string> = new Set([
  'server',
  'isDefault',
  'isGlobal',
  'decorators',
  'authGuard',
  'maximumBytesPerCaller',
  'maximumAnonymousBytes',
]);

/** The settings of the module itself and those of Redis stand in tables of the same form. */
function isOption(name: string): boolean {
  return !OTHER_SETTINGS.has(name);
}

interface Row {
  readonly option: string;
  readonly text: string;
}

function readRows(page: string): readonly Row[] {
  return [...readPage(page).matchAll(ROW)].map(([, option = '', text = '']) => ({ option, text }));
}

function selectValued(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ option, text }) => isOption(option) && isValue(text));
}

describe('the bounds of docs/reliability.md', () => {
  it.each(selectValued(readRows('docs/reliability.md')))('give "$option" as it is', ({ option, text }) => {
    expect(findDefault(option)).toEqual(parseDefault(text));
  });
});

describe('the options of docs/configuration.md', () => {
  const page = 'docs/configuration.md';
  const rows = readRows(page);
  const valued = selectValued(rows);

  it('include every bound', () => {
    const bounds = GROUPS.flatMap((group) =>
      Object.keys(settings[group] as object).map((name) => `${group}.${name}`),
    );
    expect(rows.map(({ option }) => option)).toEqual(expect.arrayContaining(bounds));
  });

  it.each(Object.keys(settings.memory as object))(
    'name the bound "memory.%s", whose default depends on the heap',
    (name) => {
      expect(readPage(page)).toMatch(new RegExp(`^\\| \`memory\\.${name}\``, 'm'));
    },
  );

  it.each(OPTION_NAMES)('name the option "%s"', (option) => {
    expect(readPage(page)).toMatch(new RegExp(`^\\| \`${option}[.\`]`, 'm'));
  });

  it('include "auth"', () => {
    expect([...readPage(page).matchAll(NAME)].map(([, name]) => name)).toContain('auth');
  });

  it.each(valued)('give the default of "$option" as it is', ({ option, text }) => {
    expect(findDefault(option) ?? false).toEqual(parseDefault(text));
  });
});

describe('the options of authorization', () => {
  const page = readPage('docs/configuration.md');
  const source = readFileSync(join(ROOT, 'lib/server/settings/auth-options.interface.ts'), 'utf8');
  const members = AUTH_INTERFACES.flatMap(([group, path]) =>
    readMembers(source, group).map(({ name, ...given }) => ({ option: `${path}.${name}`, ...given })),
  );
  const defaults = new Map([...page.matchAll(ROW)].map(([, option = '', text = '']) => [option, text]));
  const valued = members.flatMap(({ option, value }) => (value === undefined ? [] : [{ option, value }]));

  it('have a row each, and no row is of anything else', () => {
    const documented = [...page.matchAll(NAME)].map(([, name = '']) => name);
    const known = members.map(({ option }) => option).filter((option) => !TABLES.has(option));
    expect(documented.toSorted()).toEqual(['auth', ...known].toSorted());
    expect(members.length).toBeGreaterThan(40);
  });

  it.each(valued)(
    'have in their docstrings the default of "$option" as it is, and in the page',
    ({ option, value }) => {
      expect(findDefault(option)).toEqual(parseDefault(value));
      expect(parseDefault(defaults.get(option) ?? 'null')).toEqual(parseDefault(value));
    },
  );
});
