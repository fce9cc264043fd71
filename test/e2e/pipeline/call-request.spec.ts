import { Controller, Get, Inject, Injectable, Scope } from '@nestjs/common';
import {
  ContextIdFactory,
  REQUEST,
  type ContextId,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule, Tool, type McpRequest } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { callTool } from './tool-text.js';

/** What a provider reads that controllers and handlers share. */
interface SharedRequest {
  readonly headers: { readonly [name: string]: string | undefined };
  readonly user?: { readonly name: string };
  readonly ip?: string;
  readonly hostname?: string;
  readonly protocol?: string;
  readonly originalUrl?: string;
  readonly query?: { readonly [name: string]: string };
  readonly mark?: string;
}

@Injectable({ scope: Scope.REQUEST })
class Visitor {
  constructor(@Inject(REQUEST) private readonly request: SharedRequest) {}

  describe() {
    const { headers, user, ip, hostname, protocol, originalUrl, query, mark } = this.request;
    return {
      tenant: headers['x-tenant-id'] ?? null,
      user: user?.name ?? null,
      ip: ip ?? null,
      hostname: hostname ?? null,
      protocol: protocol ?? null,
      url: originalUrl ?? null,
      query: query?.['a'] ?? null,
      mark: mark ?? null,
    };
  }
}

@Controller('visitor')
class VisitorController {
  constructor(private readonly visitor: Visitor) {}

  @Get()
  @Tool({ name: 'visitor' })
  describe() {
    return this.visitor.describe();
  }
}

@Injectable({ scope: Scope.REQUEST })
class Call {
  constructor(@Inject(REQUEST) private readonly request: McpRequest) {}

  @Tool()
  method() {
    this.request.progress(1);
    return [this.request.method, this.request.id, this.request.client.info?.name, 'session' in this.request];
  }
}

interface Tenant {
  readonly tenantId: string;
}

let made = 0;

@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantStore {
  readonly number = (made += 1);
  constructor(@Inject(REQUEST) readonly tenant: Tenant) {}
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantTools {
  constructor(private readonly store: TenantStore) {}

  @Tool()
  tenant() {
    return [this.store.tenant.tenantId, this.store.number];
  }
}

@Injectable({ scope: Scope.REQUEST })
class MixedTools {
  constructor(
    private readonly store: TenantStore,
    @Inject(REQUEST) private readonly request: McpRequest,
  ) {}

  @Tool()
  mixed() {
    return [this.store.number, this.request['tenantId'], this.request.headers['x-tenant-id']];
  }
}

/** As Nest's page on durable providers has it. */
class AggregateByTenantContextIdStrategy implements ContextIdStrategy<SharedRequest> {
  readonly #tenants = new Map<string, ContextId>();

  constructor(private readonly more: object = {}) {}

  attach(contextId: ContextId, request: SharedRequest) {
    const tenantId = String(request.headers['x-tenant-id']);
    const known = this.#tenants.get(tenantId);
    const tenantSubTreeId: ContextId = known ?? { id: Math.random() };
    if (known === undefined) this.#tenants.set(tenantId, tenantSubTreeId);
    return {
      resolve: (info: HostComponentInfo) => (info.isTreeDurable ? tenantSubTreeId : contextId),
      payload: { tenantId, ...this.more },
    };
  }
}

const read = async (url: string, name: string, tenant: string, path = '') =>
  JSON.parse((await callTool(`${url}${path}`, name, {}, { 'x-tenant-id': tenant })).text) as unknown;

describe.each(ADAPTERS)('REQUEST of a handler, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      controllers: [VisitorController],
      providers: [Visitor, Call, TenantStore, TenantTools, MixedTools],
      configure: (app) => {
        const mark = (request: Record<string, unknown>) => {
          request['user'] = { name: 'ada' };
          request['mark'] = 'marked';
        };
        const http = app.getHttpAdapter().getInstance();
        if (adapter === 'fastify') http.addHook('onRequest', async (request: never) => mark(request));
        else {
          app.use((request: never, _response: unknown, next: () => void) => {
            mark(request);
            next();
          });
        }
      },
    });
  });

  afterEach(() => ContextIdFactory.apply(undefined as never));

  afterAll(() => desk.close());

  it('gives a provider that controllers share what they have (NEST-05)', async () => {
    const common = {
      tenant: 'blue',
      user: 'ada',
      ip: '127.0.0.1',
      hostname: '127.0.0.1',
      protocol: 'http',
      query: 'b',
      mark: 'marked',
    };
    const routed = await fetch(`${desk.origin}/visitor?a=b`, { headers: { 'x-tenant-id': 'blue' } });
    expect(await routed.json()).toMatchObject({ ...common, hostname: expect.stringContaining('127.0.0.1') });
    const called = await read(desk.url, 'visitor', 'blue', '?a=b');
    expect(called).toEqual({ ...common, hostname: expect.stringContaining('127.0.0.1'), url: '/mcp?a=b' });
  });

  it('is the context of the call before all (NEST-05)', async () => {
    expect(await read(desk.url, 'method', 'blue')).toEqual(['tools/call', expect.any(Number), 'e2e', true]);
  });

  it('gives a strategy the headers, by which tenants share durable providers (NEST-05)', async () => {
    ContextIdFactory.apply(new AggregateByTenantContextIdStrategy());
    const [first, again] = [
      await read(desk.url, 'tenant', 'blue'),
      await read(desk.url, 'tenant', 'blue'),
    ] as [[string, number], [string, number]];
    const [other] = [(await read(desk.url, 'tenant', 'red')) as [string, number]];
    expect([first[0], other[0]]).toEqual(['blue', 'red']);
    expect(again).toEqual(first);
    expect(other[1]).not.toBe(first[1]);
    expect(await read(desk.url, 'mixed', 'blue')).toEqual([first[1], 'blue', 'blue']);
  });

  it('lets a strategy add to the call, and change nothing of it (NEST-05)', async () => {
    const more = { id: 'blue', method: 'none', params: {}, auth: {}, session: 1, peer: 1 };
    ContextIdFactory.apply(new AggregateByTenantContextIdStrategy(more));
    expect(await read(desk.url, 'method', 'blue')).toEqual(['tools/call', expect.any(Number), 'e2e', true]);
  });
});

it('REQUEST has empty headers where no request came by HTTP (NEST-05)', async () => {
  const moduleRef = await Test.createTestingModule({
    imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
    controllers: [VisitorController],
    providers: [Visitor],
  }).compile();
  moduleRef.useLogger(false);
  await moduleRef.init();
  const client = await McpTestingModule.createClient(moduleRef);
  const { structuredContent } = await client.callTool({ name: 'visitor' });
  expect(new Set(Object.values(structuredContent ?? {}))).toEqual(new Set([null]));
  await client.close();
  await moduleRef.close();
});
