import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Inject,
  Injectable,
  Scope,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import {
  Arguments,
  Claims,
  Complete,
  Context,
  McpExecutionContext,
  McpNotifier,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type AuthenticatedRequest,
  type McpContext,
  type TokenValidator,
} from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, textOf, WAYS } from '../../support/applications/protected-desk.js';

const ADA = {
  iss: 'https://login.example.com',
  sub: 'ada',
  aud: ['https://desk.example.com/mcp', 'https://other.example.com'],
  scopes: ['desk:read', 'desk:write'],
  clientId: 'desk-app',
  expiresAt: 4_102_444_800,
  extra: { tenant: 'north', roles: ['agent', 'lead'], nested: { level: 3 } },
};

const TOKENS: TokenValidator = {
  validate: (token) =>
    ({
      'ada-first': ADA,
      'ada-second': { ...ADA, scopes: ['desk:read'], extra: { tenant: 'south' } },
      'bob-token': { sub: 'bob' },
      'nobody-at-all': {},
    })[token],
};

@Injectable()
class TenantGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { auth } = McpExecutionContext.create(context).getContext();
    return auth.claims?.extra['tenant'] === 'north' && auth.hasScope('desk:write');
  }
}

@Injectable()
class PassingInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle();
  }
}

@Injectable()
class Ledger {
  constructor(readonly notifier: McpNotifier) {}
}

/** Any service of the request, not the handler's own class. */
@Injectable({ scope: Scope.REQUEST })
class CurrentCaller {
  constructor(@Inject(REQUEST) private readonly context: McpContext) {}

  get name(): string | undefined {
    return this.context.auth.claims?.sub;
  }
}

@Injectable()
class ScopedTools {
  constructor(private readonly caller: CurrentCaller) {}

  @Tool({ description: 'Tells who calls, by a service of the request' })
  scoped(): string {
    return String(this.caller.name);
  }
}

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Shows the claims of its context' })
  context(_arguments: object, { auth }: McpContext): string {
    return JSON.stringify(auth.claims ?? 'none');
  }

  @Tool({ description: 'Shows the claims by the decorator' })
  decorated(@Claims() claims: Claims): string {
    return JSON.stringify(claims ?? 'none');
  }

  @Tool({ description: 'Shows each claim by the decorator, among other parameters' })
  each(
    @Claims('sub') subject: string,
    @Arguments() given: object,
    @Claims('scopes') scopes: readonly string[],
    @Context() { method }: McpContext,
    @Claims('extra') extra: object,
  ): string {
    return JSON.stringify([subject, given, scopes, method, extra]);
  }

  @Tool({ description: 'Shows claims behind an interceptor' })
  @UseInterceptors(PassingInterceptor)
  chained(@Claims('sub') subject: string, @Claims() claims: Claims): string {
    return JSON.stringify([subject, claims ?? 'none']);
  }

  @Tool({ description: 'Tells which scopes the caller has' })
  scopes(_arguments: object, { auth }: McpContext): string {
    const asked = ['desk:read', 'desk:write', 'desk', 'toString', '', 'desk:read desk:write'];
    return JSON.stringify(asked.filter((scope) => auth.hasScope(scope)));
  }

  @Tool({ description: 'Shows the claims of the session' })
  session(_arguments: object, { session }: McpContext): string {
    return JSON.stringify(session?.claims ?? 'none');
  }

  @Tool({ description: 'Shows the claims of the HTTP request' })
  request(_arguments: object, { http }: McpContext): string {
    return JSON.stringify((http?.request as AuthenticatedRequest | undefined)?.auth?.claims ?? 'none');
  }

  @Tool({ description: 'Is for one tenant' })
  @UseGuards(TenantGuard)
  guarded(): string {
    return 'passed';
  }

  @Resource({ uri: 'desk://me' })
  me(@Claims('sub') subject: string): string {
    return `resource of ${subject}`;
  }

  @ResourceTemplate({ uriTemplate: 'desk://of/{name}' })
  of(@Claims('sub') subject: string): string {
    return `template of ${subject}`;
  }

  @Prompt({ arguments: [{ name: 'topic' }] })
  plan(@Claims('sub') subject: string): string {
    return `prompt of ${subject}`;
  }

  @Complete({ prompt: 'plan', argument: 'topic' })
  topics(@Claims('sub') subject: string): string[] {
    return [`completion of ${subject}`];
  }
}

const PROVIDERS = [DeskHandlers, ScopedTools, CurrentCaller, TenantGuard, PassingInterceptor, Ledger];

describe.each(WAYS)('The claims of a token $wire on $adapter', ({ adapter, connect, wire }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, { auth: { validator: TOKENS }, providers: PROVIDERS });
  });

  afterAll(() => desk.close());

  async function call(name: string, token = 'ada-first', given: object = {}): Promise<string> {
    const request = await connect(desk.url, token);
    return textOf(await request('tools/call', { name, arguments: given }).result());
  }

  it.each(['context', 'decorated', 'request'])('reach a handler whole, by %s (AUTH-10)', async (name) => {
    expect(JSON.parse(await call(name))).toEqual(ADA);
  });

  it('reach a handler one by one, among other parameters (AUTH-10)', async () => {
    const { sub, scopes, extra } = ADA;
    expect(JSON.parse(await call('each'))).toEqual([sub, {}, scopes, 'tools/call', extra]);
  });

  it('reach a handler with a chain of its own (AUTH-10)', async () => {
    expect(JSON.parse(await call('chained'))).toEqual(['ada', ADA]);
  });

  it('reach services that are made for the request (AUTH-10)', async () => {
    expect(await call('scoped')).toBe('ada');
    expect(await call('scoped', 'bob-token')).toBe('bob');
  });

  it('are complete where the token says little (AUTH-10)', async () => {
    const empty = { aud: [], scopes: [], extra: {} };
    expect(JSON.parse(await call('context', 'bob-token'))).toEqual({ sub: 'bob', ...empty });
    expect(JSON.parse(await call('decorated', 'nobody-at-all'))).toEqual(empty);
  });

  it('say which scopes there are, exactly (AUTH-10)', async () => {
    expect(await call('scopes')).toBe('["desk:read","desk:write"]');
    expect(await call('scopes', 'bob-token')).toBe('[]');
  });

  it('reach guards on handlers, which decide by them (AUTH-10)', async () => {
    expect(await call('guarded')).toBe('passed');
    expect(await call('guarded', 'ada-second')).toBe('Forbidden resource');
    expect(await call('guarded', 'bob-token')).toBe('Forbidden resource');
  });

  it('reach resources, templates, prompts and completions (AUTH-10)', async () => {
    const request = await connect(desk.url, 'bob-token');
    const answers = await Promise.all([
      request('resources/read', { uri: 'desk://me' }).result(),
      request('resources/read', { uri: 'desk://of/ada' }).result(),
      request('prompts/get', { name: 'plan' }).result(),
      request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'plan' },
        argument: { name: 'topic', value: '' },
      }).result(),
    ]);
    const texts = answers.map((answer) => /(\w+) of (\w+)/.exec(JSON.stringify(answer))?.slice(1, 3));
    expect(texts).toEqual([
      ['resource', 'bob'],
      ['template', 'bob'],
      ['prompt', 'bob'],
      ['completion', 'bob'],
    ]);
  });

  it('reach the session, where there is one (AUTH-10)', async () => {
    const shown = JSON.parse(await call('session'));
    expect(shown).toEqual(wire === 'in a session' ? ADA : 'none');
  });

  it('are absent on an open server, whatever token is sent (AUTH-10)', async () => {
    const open = await bootServer({ adapter, providers: PROVIDERS });
    const request = await connect(open.url, 'ada-first');
    for (const name of ['context', 'decorated', 'chained', 'session', 'request']) {
      const { content } = await request('tools/call', { name }).result();
      expect(JSON.stringify(content)).toMatch(/none/);
    }
    await open.close();
  });
});

describe.each(WAYS.filter(({ wire }) => wire === 'in a session'))(
  'The claims of a session on $adapter',
  ({ adapter }) => {
    it('are those of its latest token, for handlers and for whoever sees sessions (AUTH-10)', async () => {
      const desk = await bootDesk(adapter, { auth: { validator: TOKENS }, providers: PROVIDERS });
      const { notifier } = desk.app.get(Ledger);
      const session = await initialize(desk.url, { headers: authorize('ada-first') });
      expect(notifier.sessions[0]?.claims).toEqual(ADA);
      const call = async (token: string) => {
        const shown = await session.start('tools/call', { name: 'session' }, authorize(token)).result();
        return JSON.parse(textOf(shown)) as unknown;
      };
      const second = { ...ADA, scopes: ['desk:read'], extra: { tenant: 'south' } };
      expect(await call('ada-second')).toEqual(second);
      expect(notifier.sessions[0]?.claims).toEqual(second);
      await session.request('tools/call', { name: 'session' }, authorize('bob-token'));
      expect(notifier.sessions[0]?.claims).toEqual(second);
      expect(await call('ada-first')).toEqual(ADA);
      await desk.close();
    });
  },
);
