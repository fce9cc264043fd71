import { Injectable, UseGuards, UseInterceptors, type ExecutionContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tool } from 'nestjs-mcp';
import { ClsGuard, ClsInterceptor, ClsModule, ClsService, UseCls } from 'nestjs-cls';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { callTool } from '../tool-text.js';

interface Requested {
  readonly headers: { readonly [name: string]: string | undefined };
}

/** A service that knows the tenant from the context alone. */
@Injectable()
class TenantService {
  constructor(private readonly cls: ClsService) {}

  async describe() {
    await new Promise((resolve) => setImmediate(resolve));
    return [this.cls.isActive(), this.cls.get<string | undefined>('tenant') ?? null];
  }
}

@Injectable()
class TenantTools {
  constructor(private readonly tenants: TenantService) {}

  @Tool()
  plain() {
    return this.tenants.describe();
  }

  @Tool()
  @UseGuards(ClsGuard)
  guarded() {
    return this.tenants.describe();
  }

  @Tool()
  @UseInterceptors(ClsInterceptor)
  intercepted() {
    return this.tenants.describe();
  }

  @Tool()
  @UseCls<[]>({ setup: (cls) => cls.set('tenant', 'decorated') })
  decorated() {
    return this.tenants.describe();
  }
}

const setup = (cls: ClsService, context: ExecutionContext) => {
  cls.set('tenant', context.switchToHttp().getRequest<Requested>().headers['x-tenant']);
};

const CONTEXTS = {
  'the middleware': ClsModule.forRoot({
    global: true,
    middleware: {
      mount: true,
      setup: (cls, request: Requested) => cls.set('tenant', request.headers['x-tenant']),
    },
  }),
  'the guard and the interceptor': ClsModule.forRoot({
    global: true,
    guard: { mount: false, setup },
    interceptor: { mount: false, setup },
  }),
};

describe.each(ADAPTERS)('nestjs-cls on handlers, on %s', (adapter) => {
  const boot = (how: keyof typeof CONTEXTS) =>
    bootServer({ adapter, imports: [CONTEXTS[how]], providers: [TenantTools, TenantService] });

  describe('with its middleware', () => {
    let desk: RunningApp;

    beforeAll(async () => {
      desk = await boot('the middleware');
    });

    afterAll(() => desk.close());

    it('gives the handler and its services the context of their request, whoever calls besides (NEST-04)', async () => {
      const tenants = ['blue', 'red', 'green'];
      const texts = await Promise.all(
        tenants.map(async (tenant) => (await callTool(desk.url, 'plain', {}, { 'x-tenant': tenant })).text),
      );
      expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(
        tenants.map((tenant) => [true, tenant]),
      );
    });
  });

  describe('with its guard, its interceptor and its decorator', () => {
    let desk: RunningApp;

    beforeAll(async () => {
      desk = await boot('the guard and the interceptor');
    });

    afterAll(() => desk.close());

    it.each([
      ['guarded', [true, 'blue']],
      ['intercepted', [true, 'blue']],
      ['decorated', [true, 'decorated']],
      ['plain', [false, null]],
    ])('gives the handler a context where it stands: %s (NEST-04)', async (name, told) => {
      const { text } = await callTool(desk.url, name, {}, { 'x-tenant': 'blue' });
      expect(JSON.parse(text)).toEqual(told);
    });
  });
});
