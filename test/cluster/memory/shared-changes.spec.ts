import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { CatalogError, McpCatalog, type SharedChange } from 'nestjs-mcp';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';

const SECRET = 'a secret of the tests, which is long enough';

/** Offers tools that tenants bring, which every process has. */
@Injectable()
class TenantTools {
  missed = 0;
  /** Names that are made as soon as a test says so. */
  readonly slow = new Map<string, Promise<void>>();

  readonly add: SharedChange<{ tenant: string; says: string }>;
  readonly remove: SharedChange<{ tenant: string }>;

  constructor(readonly catalog: McpCatalog) {
    const { tools } = catalog;
    this.add = catalog.broadcastChange(
      'add-tenant',
      async ({ tenant, says }: { tenant: string; says: string }) => {
        await this.slow.get(tenant);
        if (tenant === 'broken') throw new Error('This tenant has no tools');
        tools.remove(tenant);
        tools.add({ name: tenant, description: `What ${tenant} says` }, () => says);
      },
      { onGap: () => void (this.missed += 1) },
    );
    this.remove = catalog.broadcastChange('remove-tenant', ({ tenant }: { tenant: string }) => {
      tools.remove(tenant);
    });
  }
}

describe('McpCatalog.broadcastChange in several processes', () => {
  let cluster: MemoryCluster;
  let desks: RunningApp[];
  let tools: TenantTools[];

  beforeEach(async () => {
    cluster = memoryCluster();
    const boot = () => bootServer({ options: { cluster, secret: SECRET }, providers: [TenantTools] });
    desks = await Promise.all([boot(), boot()]);
    tools = desks.map(({ app }) => app.get(TenantTools));
  });

  afterEach(() => Promise.all(desks.map((desk) => desk.close())));

  const namesOf = ({ catalog }: TenantTools) => catalog.tools.list().map(({ name }) => name);

  it('makes a change in the process that wants it, and in the others (RELAY-01)', async () => {
    const [one, other] = tools as [TenantTools, TenantTools];
    await one.add({ tenant: 'acme', says: 'hello' });
    expect(namesOf(one)).toEqual(['acme']);
    await until(() => namesOf(other).length === 1, 'the tool in the other process');
    for (const { url } of desks) {
      const { result } = await perRequest(url).request('tools/call', { name: 'acme' });
      expect(result).toMatchObject({ content: [{ type: 'text', text: 'hello' }] });
    }
  });

  it('makes changes one after the other, in the same order everywhere (RELAY-01)', async () => {
    const [one, other] = tools as [TenantTools, TenantTools];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    for (const each of tools) each.slow.set('acme', gate);
    const changes = [
      one.add({ tenant: 'acme', says: 'first' }),
      one.remove({ tenant: 'acme' }),
      one.add({ tenant: 'last', says: 'done' }),
    ];
    open();
    await Promise.all(changes);
    await until(() => namesOf(other).includes('last'), 'the last change in the other process');
    expect(tools.map(namesOf)).toEqual([['last'], ['last']]);
  });

  it('tells whoever wants a change that it fails there, and goes on with the next (RELAY-01)', async () => {
    const [one, other] = tools as [TenantTools, TenantTools];
    await expect(one.add({ tenant: 'broken', says: '' })).rejects.toThrow('This tenant has no tools');
    await one.add({ tenant: 'acme', says: 'hello' });
    await until(() => namesOf(other).includes('acme'), 'the next change in the other process');
    expect(namesOf(other)).toEqual(['acme']);
  });

  it('refuses what is no JSON, or too long to go to every process (RELAY-01)', async () => {
    const [one] = tools as [TenantTools];
    await expect(one.add({ tenant: 'acme', says: 'x'.repeat(65_536) })).rejects.toThrow(
      'expected at most 65536',
    );
    await expect(one.add(undefined as never)).rejects.toThrow('must be JSON');
    expect(() => one.catalog.broadcastChange('add-tenant', () => undefined)).toThrow(CatalogError);
  });

  it('has the application read what there is if changes may have been missed (RELAY-07)', async () => {
    cluster.clear();
    await until(() => tools.every(({ missed }) => missed > 0), 'both processes to read again');
    expect(tools.map(({ missed }) => missed)).toEqual([1, 1]);
  });

  it('makes a change of a server that is alone', async () => {
    const alone = await bootServer({ providers: [TenantTools] });
    const own = alone.app.get(TenantTools);
    await own.add({ tenant: 'acme', says: 'hello' });
    expect(namesOf(own)).toEqual(['acme']);
    await alone.close();
  });
});
