import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildWebhookSettings } from '../../../lib/server/extensions/events/webhooks/webhook-settings.js';
import { isValue, parseDefault, readMembers } from './option-members.js';
import { readPage, ROOT } from './snippets.js';

/** A table that has the members of some interfaces. */
interface Table {
  readonly page: string;
  readonly interfaces: readonly (readonly [file: string, name: string])[];
  /** What the defaults come to; absent where that cannot be looked up. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

const TABLES: readonly Table[] = [
  {
    page: 'docs/events.md',
    interfaces: [['lib/server/settings/extensions/webhook-options.interface.ts', 'WebhookOptions']],
    defaults: { ...buildWebhookSettings() },
  },
  {
    page: 'docs/server-card.md',
    interfaces: [['lib/server/settings/server-card-options.interface.ts', 'ServerCardOptions']],
  },
  {
    page: 'docs/scaling.md',
    interfaces: [
      ['lib/redis/settings/redis-cluster-options.interface.ts', 'RedisClusterOptions'],
      ['lib/redis/settings/quota-settings.ts', 'QuotaOptions'],
    ],
  },
  {
    page: 'docs/client.md',
    interfaces: [
      ['lib/client/authorization/login/login-options.interface.ts', 'OAuthTokenSourceOptions'],
      ['lib/client/authorization/login/login-options.interface.ts', 'BrowserOptions'],
      ['lib/client/authorization/registration/registrar.ts', 'RegistrationOptions'],
      ['lib/client/authorization/http/client-http.ts', 'ClientHttpOptions'],
    ],
  },
];

/** Reads the last table of options that a page has: the first code of each default, by the name of the option. */
function readLastTable(page: string): ReadonlyMap<string, string> {
  const [table = ''] = (
    readPage(page)
      .split(/^\| option /m)
      .at(-1) ?? ''
  ).split('\n\n');
  const rows = [...table.matchAll(/^\| `(?:(?:webhooks|serverCard)\.)?(\w+)` +\| (?:`([^`]+)`)?/gm)];
  return new Map(rows.map(([, name = '', value = '']) => [name, value]));
}

describe.each(TABLES)('the table of options in $page', ({ page, interfaces, defaults }) => {
  const rows = readLastTable(page);
  const members = interfaces.flatMap(([file, name]) =>
    readMembers(readFileSync(join(ROOT, file), 'utf8'), name),
  );
  const valued = members.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));

  it('has a row for each option, and no other', () => {
    expect([...rows.keys()].toSorted()).toEqual([...new Set(members.map(({ name }) => name))].toSorted());
    expect(members.length).toBeGreaterThan(7);
  });

  it.each(valued)('gives the default of "$name" as its docstring does', ({ name, value }) => {
    expect(parseDefault(rows.get(name) ?? 'null')).toEqual(parseDefault(value));
  });

  if (defaults === undefined) return;

  it.each([...rows].filter(([, value]) => isValue(value)))(
    'gives the default of "%s" as it is',
    (name, value) => {
      expect(defaults[name]).toEqual(parseDefault(value));
    },
  );
});
