import { Injectable } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  getCatalogToken,
  getNotifierToken,
  McpModule,
  Tool,
  type McpCatalog,
  type McpNotifier,
  type McpContext,
} from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import '../../support/mcp-matchers.js';
import { REVISIONS, startTestingModule } from '../../support/applications/testing-desk.js';
import { until } from '../../support/until.js';

@Injectable()
class Tools {
  /** What the handlers were given, and gave. */
  readonly seen: object[] = [];

  @Tool({ inputSchema: { type: 'object', properties: { parts: { type: 'array' } } } })
  keep(given: { readonly parts: object[] }) {
    this.seen.push(given);
    return given;
  }

  @Tool()
  count(_: object, context: McpContext) {
    context.progress(1, 2);
    context.progress(2, 2);
    return 'counted';
  }
}

@Injectable()
class AdminTools {
  @Tool()
  flush() {
    return 'flushed';
  }
}

const serverInfo = { name: 'desk', version: '1.0.0' };

describe.each(REVISIONS)('A client of the test kit that speaks %s', (revision) => {
  let moduleRef: TestingModule;

  beforeAll(async () => {
    moduleRef = await startTestingModule({
      imports: [
        McpModule.forRoot({ serverInfo, isDefault: true }),
        McpModule.forRoot({ server: 'admin', serverInfo, mcpPath: '/admin' }),
        McpModule.forFeature({ server: 'admin', providers: [AdminTools] }),
      ],
      providers: [Tools, AdminTools],
    });
  });

  afterAll(() => moduleRef.close());

  it('calls tools without a socket (KIT-01)', async () => {
    const client = await McpTestingModule.createClient(moduleRef, { revision });
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(await client.callTool({ name: 'count' })).toHaveText('counted');
    expect(moduleRef.get<McpNotifier>(getNotifierToken(), { strict: false }).sessions).toHaveLength(
      revision === '2026-07-28' ? 0 : 1,
    );
    await client.close();
    expect(moduleRef.get<McpNotifier>(getNotifierToken(), { strict: false }).sessions).toHaveLength(0);
  });

  it('reaches each of several servers (KIT-01)', async () => {
    const client = await McpTestingModule.createClient(moduleRef, { revision });
    const admin = await McpTestingModule.createClient(moduleRef, { revision, server: 'admin' });
    const names = async (one: typeof client) => (await one.listTools()).tools.map(({ name }) => name);
    expect(await names(client)).toEqual(['keep', 'count']);
    expect(await names(admin)).toEqual(['flush']);
    await Promise.all([client.close(), admin.close()]);
  });

  it('shares no object with the server (KIT-01)', async () => {
    const client = await McpTestingModule.createClient(moduleRef, { revision });
    const { seen } = moduleRef.get(Tools);
    const parts = [{ name: 'a', when: undefined }];
    const result = await client.callTool({ name: 'keep', arguments: { parts } });
    const taken = seen.at(-1) as { readonly parts: object[] };
    expect(taken.parts[0]).not.toBe(parts[0]);
    expect(taken.parts[0]).toStrictEqual({ name: 'a' });
    taken.parts.length = 0;
    expect(result).toHaveText(/"a"/);
    expect(parts).toHaveLength(1);
    await client.close();
  });

  it('hears nothing of what another is told (KIT-01)', async () => {
    const heard: Record<string, number[]> = { first: [], second: [] };
    const clients = await Promise.all(
      Object.values(heard).map(() => McpTestingModule.createClient(moduleRef, { revision })),
    );
    await Promise.all(
      Object.values(heard).map((steps, index) =>
        clients[index]!.callTool(
          { name: 'count' },
          index === 0 ? { onprogress: ({ progress }) => void steps.push(progress) } : {},
        ),
      ),
    );
    expect(heard).toEqual({ first: [1, 2], second: [] });
    await Promise.all(clients.map((client) => client.close()));
  });

  it('hears of a list that changed (KIT-01)', async () => {
    const lists: string[][] = [];
    const client = await McpTestingModule.createClient(moduleRef, {
      revision,
      client: {
        listChanged: {
          tools: {
            debounceMs: 0,
            onChanged: (_, tools) => void lists.push((tools ?? []).map(({ name }) => name)),
          },
        },
      },
    });
    const { tools } = moduleRef.get<McpCatalog>(getCatalogToken(), { strict: false });
    tools.add({ name: 'extra' }, () => 'extra');
    await until(() => lists.length > 0, 'a list');
    expect(lists[0]).toEqual(['keep', 'count', 'extra']);
    tools.remove('extra');
    await client.close();
  });
});
