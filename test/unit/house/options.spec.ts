import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { AUTHORIZED_FETCH } from '../../../lib/client/authorization/authorized-fetch.js';
import { CLIENT_CREDENTIALS } from '../../../lib/client/authorization/client-credentials-token-source.js';
import { ENTERPRISE_MANAGED } from '../../../lib/client/authorization/enterprise-managed-token-source.js';
import { OAUTH_TOKEN_SOURCE } from '../../../lib/client/authorization/login/login-options.js';
import { WORKLOAD_IDENTITY } from '../../../lib/client/authorization/workload-identity-token-source.js';
import { HTTP_CLIENT, STDIO_CLIENT } from '../../../lib/client/module/options/mcp-client-options.js';
import { PING_CHECK } from '../../../lib/client/module/health/mcp-client.health-indicator.js';
import {
  CONTROLLER_CHOICE,
  CONTROLLERS,
  TOOL_ROUTE,
} from '../../../lib/controllers/settings/tool-controller-options.js';
import type { NestedRows, Row } from '../../../lib/core/checks/option-group.js';
import { REDIS_CLUSTER, REDIS_TASK_STORE } from '../../../lib/redis/settings/redis-options.js';
import { SERVER } from '../../../lib/server/settings/mcp-options.js';
import { MODULE } from '../../../lib/server/settings/module-options.js';
import { STDIO } from '../../../lib/server/transport/stdio/mcp-stdio.js';
import { APP_HOST } from '../../../lib/testing/apps/mcp-app-host.js';
import { MEMORY_CLUSTER } from '../../../lib/testing/cluster/memory/memory-cluster.js';
import { FAKE_ISSUER } from '../../../lib/testing/fake-issuer.js';
import { TEST_CLIENT } from '../../../lib/testing/mcp-testing-module.js';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = join(ROOT, 'tools/options/main.js');

/** What declares the options of each interface. */
const GROUPS: Readonly<Record<string, NestedRows>> = {
  McpOptions: SERVER,
  McpModuleExtras: MODULE,
  ControllersOptions: CONTROLLERS,
  ToolControllerOptions: CONTROLLER_CHOICE,
  ToolRouteOptions: TOOL_ROUTE,
  RedisClusterOptions: REDIS_CLUSTER,
  RedisTaskStoreOptions: REDIS_TASK_STORE,
  HttpClientOptions: HTTP_CLIENT,
  StdioClientOptions: STDIO_CLIENT,
  McpClientHealthOptions: PING_CHECK,
  AuthorizedFetchOptions: AUTHORIZED_FETCH,
  OAuthTokenSourceOptions: OAUTH_TOKEN_SOURCE,
  ClientCredentialsOptions: CLIENT_CREDENTIALS,
  WorkloadIdentityOptions: WORKLOAD_IDENTITY,
  EnterpriseManagedOptions: ENTERPRISE_MANAGED,
  StdioOptions: STDIO,
  TestClientOptions: TEST_CLIENT,
  AppHostOptions: APP_HOST,
  FakeIssuerOptions: FAKE_ISSUER,
  MemoryClusterOptions: MEMORY_CLUSTER,
};

/** An option as its docstring has it. */
interface Described {
  readonly path: string;
  readonly text: string;
  readonly isRequired: boolean;
  readonly fallback?: string;
}

const DESCRIBED = JSON.parse(
  execFileSync(process.execPath, [PROGRAM, '--list', ...Object.keys(GROUPS)], { encoding: 'utf8' }),
) as Readonly<Record<string, readonly Described[]>>;

/** Lists all options of a group with their rows, each before its own members. */
function listRows({ rows }: NestedRows, parent = ''): readonly (readonly [path: string, row: Row])[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    const path = `${parent}${name}`;
    const inner = findNested(row);
    return [[path, row] as const, ...(inner === undefined ? [] : listRows(inner, `${path}.`))];
  });
}

function findNested(row: Row): NestedRows | undefined {
  if (typeof row === 'function') return undefined;
  return Array.isArray(row) ? findNested(row[0] as Row) : (row as NestedRows);
}

/** A default as docstrings write it: `1_000`, `'/mcp'`, `false`, `[]`; with an explanation or without. */
const VALUE = /^(?:-?\d[\d_.]*|'[^']*'|\[[^\]]*\]|\{\}|true|false)(?=$|[\s,;:(])/;

function parseDefault(text: string): unknown {
  const [value = ''] = VALUE.exec(text) ?? [];
  if (value === '') return undefined;
  return JSON.parse(value.replaceAll(/(?<=\d)_(?=\d)/g, '').replaceAll("'", '"'));
}

/** A value that a docstring may describe in words: no limit, or more than a line can list. The members of a group have their own. */
function isDescribable(value: unknown, text: string | undefined): boolean {
  if (typeof value !== 'object' && value !== Infinity) return false;
  return text !== undefined || Object.keys(Object(value)).length === 0;
}

const GIVEN = Object.entries(GROUPS).flatMap(([name, group]) => {
  const described = new Map(DESCRIBED[name]?.map((option) => [option.path, option]));
  return listRows(group).map(([path, row]) => ({ name, path, row, option: described.get(path) }));
});

describe.each(Object.keys(GROUPS))('The options of %s', (name) => {
  it('have a docstring each, and a row each (MOD-11)', () => {
    const declared = GIVEN.filter((one) => one.name === name).map(({ path }) => path);
    expect(DESCRIBED[name]?.map(({ path }) => path).toSorted()).toEqual(declared.toSorted());
    expect(DESCRIBED[name]?.filter(({ text }) => text === '')).toEqual([]);
  });
});

describe('The default of an option', () => {
  const valued = GIVEN.filter(({ row }) => Array.isArray(row) && typeof row[1] !== 'function');

  it.each(valued)('"$path" of $name is in its docstring as it is in the code', ({ row, option }) => {
    const [, value] = row as readonly [unknown, unknown];
    const told = parseDefault(option?.fallback ?? '');
    const isInWords = told === undefined && isDescribable(value, option?.fallback);
    expect(isInWords ? value : told).toEqual(value);
  });

  const none = GIVEN.filter(({ row }) => !Array.isArray(row));

  it.each(none)('"$path" of $name is no value, as it has none', ({ option }) => {
    const told = parseDefault(option?.fallback ?? '');
    expect(told === undefined || Object.keys(Object(told)).length === 0).toBe(true);
  });
});

describe('The pages', () => {
  it('have the lists of options as their docstrings are', () => {
    const { stderr, status } = spawnSync(process.execPath, [PROGRAM, '--check'], { encoding: 'utf8' });
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  });

  it('give the bounds of "docs/reliability.md" as they are', () => {
    const page = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([\w.]+)` +\| `([^`]+)`/gm)];
    const described = new Map(DESCRIBED['McpOptions']?.map(({ path, fallback }) => [path, fallback]));
    const bounds = rows.filter(([, path = '']) => described.has(path));
    expect(bounds.length).toBeGreaterThan(10);
    for (const [, path = '', text = ''] of bounds) {
      expect([path, parseDefault(text)]).toEqual([path, parseDefault(described.get(path) ?? '')]);
    }
  });
});
