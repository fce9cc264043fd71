import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import type { McpClients, ServerNotification } from '../../../../lib/client/module/index.js';
import { GatewayServer } from '../../../../lib/gateway/servers/gateway-server.js';
import { buildGatewaySettings } from '../../../../lib/gateway/settings/gateway-options.js';
import type { McpNotifier } from '../../../../lib/index.js';
import {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../../../lib/server/catalog/registries.js';
import { McpCatalog } from '../../../../lib/server/catalog/mcp-catalog.js';

const TOOL = { name: 'read', description: 'Reads', inputSchema: { type: 'object' } };

describe('GatewayServer', () => {
  let reads: number;
  let failure: Error | undefined;
  let notifications$: Subject<ServerNotification>;
  let state$: Subject<string>;
  let server: GatewayServer;

  beforeEach(() => {
    jest.useFakeTimers();
    reads = 0;
    failure = undefined;
    notifications$ = new Subject();
    state$ = new Subject();
    const listTools = async () => {
      reads += 1;
      return [TOOL];
    };
    const listPrompts = async () => {
      if (failure !== undefined) throw failure;
      return [];
    };
    const official = async () => ({ getServerCapabilities: () => ({ tools: {}, prompts: {} }) });
    const client = { notifications$, state$, state: 'connected', official, listTools, listPrompts };
    const registries = [
      new ResourceRegistry(),
      new ResourceTemplateRegistry(),
      new PromptRegistry(),
    ] as const;
    const [settings] = buildGatewaySettings({ servers: { files: { url: 'https://files.example.com/mcp' } } });
    if (settings === undefined) throw new Error('There are no settings');
    server = new GatewayServer(
      settings,
      new McpCatalog(new ToolRegistry(), ...registries),
      { register: () => client } as unknown as McpClients,
      { subscriptions$: new Subject() } as unknown as McpNotifier,
    );
  });
  afterEach(() => {
    server.close();
    jest.useRealTimers();
  });

  it('is failing while one list cannot be read, offers the others, and tries again (GATE-02)', async () => {
    failure = new Error('no prompts today');
    server.begin();
    await jest.advanceTimersByTimeAsync(0);
    expect(server.status).toMatchObject({ state: 'failing', problem: 'no prompts today', tools: 1 });
    failure = undefined;
    await jest.advanceTimersByTimeAsync(2000);
    expect(server.status).toMatchObject({ state: 'ready', tools: 1 });
    expect(server.status.problem).toBeUndefined();
  });

  it('reads the lists again after a reconnection, and once for many changes (GATE-02)', async () => {
    server.begin();
    await jest.advanceTimersByTimeAsync(5000);
    state$.next('connected');
    await jest.advanceTimersByTimeAsync(5000);
    expect(reads).toBe(1);
    for (const state of ['reconnecting', 'connected']) state$.next(state);
    await jest.advanceTimersByTimeAsync(5000);
    expect(reads).toBe(2);
    for (let count = 0; count < 5; count += 1) {
      notifications$.next({ method: 'notifications/tools/list_changed', params: {} });
    }
    await jest.advanceTimersByTimeAsync(5000);
    expect(reads).toBe(3);
  });
});
