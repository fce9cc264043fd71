import { Inject, Injectable, Scope, UseGuards, type CanActivate, type Provider } from '@nestjs/common';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  ContextIdFactory,
  REQUEST,
  type ContextId,
} from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpExecutionContext } from '../../../../../lib/server/catalog/invocation/execution-context.js';
import type { McpContext } from '../../../../../lib/server/context/mcp-context.interface.js';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { bootCatalog, buildContext } from '../boot-catalog.js';

let made = 0;

@Injectable({ scope: Scope.REQUEST })
class Caller {
  readonly number = (made += 1);
  constructor(@Inject(REQUEST) readonly context: McpContext) {}
}

@Injectable()
class RequestTools {
  readonly number = (made += 1);
  constructor(readonly caller: Caller) {}

  @Tool()
  who(args: unknown, context: McpContext) {
    return { self: this, args, context };
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientTools {
  readonly number = (made += 1);

  @Tool()
  count() {
    return this.number;
  }
}

@Injectable({ scope: Scope.REQUEST, durable: true })
class TenantTools {
  constructor(@Inject(REQUEST) readonly request: { readonly tenant: string }) {}

  @Tool()
  tenant() {
    return this;
  }
}

/** A guard that lets its own calls in: only an instance that was constructed knows them. */
@Injectable({ scope: Scope.REQUEST })
class CallerGuard implements CanActivate {
  static readonly seen: CallerGuard[] = [];
  constructor(@Inject(REQUEST) private readonly context: McpContext) {
    CallerGuard.seen.push(this);
  }

  canActivate: CanActivate['canActivate'] = (host) =>
    McpExecutionContext.create(host).getContext() === this.context;
}

@Injectable()
class GuardedTools {
  @UseGuards(CallerGuard)
  @Tool()
  open() {
    return 'open';
  }
}

@Injectable()
class PlainTools {
  readonly number = (made += 1);

  @Tool()
  count() {
    return this.number;
  }
}

describe('A provider whose dependency is request-scoped', () => {
  it('is made for each call, with the context of the call as its request (MOD-04)', async () => {
    const { call } = await bootCatalog({ providers: [RequestTools, Caller] });
    const [first, second] = [buildContext(), buildContext()];
    const answers = (await Promise.all([call('who', { n: 1 }, first), call('who', { n: 2 }, second)])) as {
      self: RequestTools;
      args: unknown;
      context: McpContext;
    }[];
    expect(answers.map(({ args }) => args)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(answers.map(({ context }) => context)).toEqual([first, second]);
    expect(answers.map(({ self }) => self.caller.context)).toEqual([first, second]);
    expect(answers[0]?.self).not.toBe(answers[1]?.self);
    expect(answers[0]?.self).toBeInstanceOf(RequestTools);
  });
});

describe('A durable provider', () => {
  const tenants = new Map<string, ContextId>();

  beforeAll(() => {
    ContextIdFactory.apply({
      attach(contextId, request: McpContext) {
        const tenant = String(request.params['name']);
        const shared = tenants.get(tenant) ?? ContextIdFactory.create();
        tenants.set(tenant, shared);
        return { resolve: (host) => (host.isTreeDurable ? shared : contextId), payload: { tenant } };
      },
    });
  });

  afterAll(() => {
    ContextIdFactory.apply(undefined as never);
  });

  it('is shared by the calls that the application’s strategy puts together (MOD-04)', async () => {
    const { call } = await bootCatalog({ providers: [TenantTools] });
    const ask = (name: string) => call('tenant', {}, buildContext({ name }));
    const [first, again, other] = (await Promise.all([ask('a'), ask('a'), ask('b')])) as TenantTools[];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect([first?.request, other?.request]).toEqual([{ tenant: 'a' }, { tenant: 'b' }]);
  });
});

describe('A transient provider', () => {
  it('is made for each call (MOD-04)', async () => {
    const { call } = await bootCatalog({ providers: [TransientTools] });
    const numbers = await Promise.all([call('count'), call('count'), call('count')]);
    expect(new Set(numbers).size).toBe(3);
    expect(numbers.every((number) => typeof number === 'number')).toBe(true);
  });
});

describe('A singleton', () => {
  it('is one for all calls (MOD-04)', async () => {
    const { call } = await bootCatalog({ providers: [PlainTools] });
    expect(await call('count')).toBe(await call('count'));
  });

  it('gets a request-scoped guard for each call (MOD-04)', async () => {
    const { call } = await bootCatalog({ providers: [GuardedTools] });
    const before = CallerGuard.seen.length;
    expect(await call('open')).toBe('open');
    expect(await call('open')).toBe('open');
    expect(CallerGuard.seen.length - before).toBe(2);
  });

  it.each<[string, Provider]>([
    ['guard', { provide: APP_GUARD, scope: Scope.REQUEST, useClass: CallerGuard }],
    ['transient guard', { provide: APP_GUARD, scope: Scope.TRANSIENT, useClass: CallerGuard }],
  ])(
    'stays one under a global request-scoped %s, which is made for each call (MOD-04)',
    async (_what, guard) => {
      const { call } = await bootCatalog({ providers: [PlainTools, guard], globalEnhancers: true });
      const before = CallerGuard.seen.length;
      expect(await call('count')).toBe(await call('count'));
      expect(CallerGuard.seen.length - before).toBe(2);
    },
  );
});

describe('Global enhancers', () => {
  const refuse = { canActivate: () => false };

  it('are left out by default (MOD-03)', async () => {
    const globals = [APP_GUARD, APP_INTERCEPTOR, APP_PIPE, APP_FILTER].map((provide) => ({
      provide,
      useValue: { ...refuse, transform: () => 'changed', intercept: () => 'changed', catch: () => 'changed' },
    }));
    const { call } = await bootCatalog({ providers: [GuardedTools, PlainTools, ...globals] });
    expect(await call('count')).toEqual(expect.any(Number));
    expect(await call('open')).toBe('open');
  });

  it('apply with "globalEnhancers", however they are registered (MOD-03)', async () => {
    const asProvider = await bootCatalog({
      providers: [PlainTools, { provide: APP_GUARD, useValue: refuse }],
      globalEnhancers: true,
    });
    await expect(asProvider.call('count')).rejects.toThrow('Forbidden resource');
    const onApplication = await bootCatalog({
      providers: [PlainTools],
      globalEnhancers: true,
      configure: (app) => app.useGlobalGuards(refuse),
    });
    await expect(onApplication.call('count')).rejects.toThrow('Forbidden resource');
  });
});
