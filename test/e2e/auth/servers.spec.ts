import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Module, UseGuards } from '@nestjs/common';
import {
  Claims,
  InjectAuthenticator,
  McpAuthenticator,
  McpAuthGuard,
  McpModule,
  RequireScope,
  Tool,
  type AuthOptions,
  type GuardedRequest,
  type McpOptions,
  type McpOptionsFactory,
} from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, CALLERS, textOf } from '../../support/applications/protected-desk.js';
import { WhoamiTool } from '../../support/applications/whoami-tool.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const DESK_TOKEN = 'fixed-token-of-the-desk-1';
const ADMIN_TOKEN = 'fixed-token-of-the-admin-2';
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

const published = (host: string, bearer: AuthOptions['bearer']): AuthOptions => ({
  resourceUri: `https://${host}.example.com/mcp`,
  authorizationServers: ['https://login.example.com'],
  ...(bearer && { bearer }),
});

@Injectable()
class AdminTools {
  @Tool({ description: 'Purges' })
  @RequireScope('admin:purge')
  purge(@Claims('sub') subject: string): string {
    return `purged by ${subject}`;
  }
}

/** Checks tokens of the server "admin", wherever it stands. */
@Injectable()
class AdminGuard extends McpAuthGuard {
  constructor(@InjectAuthenticator('admin') authenticator: McpAuthenticator) {
    super(authenticator);
  }
}

@Controller()
class ReportController {
  @Get('desk-report')
  @UseGuards(McpAuthGuard)
  desk(@Claims('sub') subject: string): object {
    return { desk: subject };
  }

  @Get('admin-report')
  @UseGuards(AdminGuard)
  admin(@Claims('sub') subject: string): object {
    return { admin: subject };
  }
}

@Module({
  imports: [McpModule.forFeature({ server: 'admin', providers: [AdminTools] })],
  providers: [AdminTools],
  controllers: [ReportController],
})
class AdminModule {}

describe.each(ADAPTERS)('Two servers with tokens of their own in one application on %s', (adapter) => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'desk', version: '1.0.0' },
          auth: published('desk', { token: DESK_TOKEN, subject: 'ada' }),
        }),
        McpModule.forRoot({
          server: 'admin',
          serverInfo: { name: 'admin', version: '1.0.0' },
          mcpPath: '/admin/mcp',
          auth: published('admin', { token: ADMIN_TOKEN, subject: 'root', scopes: ['admin:purge'] }),
        }),
        McpModule.forRoot({
          server: 'open',
          serverInfo: { name: 'open', version: '1.0.0' },
          mcpPath: '/open/mcp',
        }),
        AdminModule,
      ],
      providers: [WhoamiTool],
    });
  });

  afterAll(() => app.close());

  it('take each its own tokens alone (AUTH-01, MOD-05)', async () => {
    const statuses = async (token?: string) =>
      Promise.all(
        ['/mcp', '/admin/mcp', '/open/mcp'].map(async (path) => {
          const client = perRequest(`${app.origin}${path}`, { headers: authorize(token) });
          return (await client.request('server/discover')).status;
        }),
      );
    expect(await statuses()).toEqual([401, 401, 200]);
    expect(await statuses(DESK_TOKEN)).toEqual([200, 401, 200]);
    expect(await statuses(ADMIN_TOKEN)).toEqual([401, 200, 200]);
  });

  it('challenge each for itself (AUTH-14, MOD-05)', async () => {
    const challenges = await Promise.all(
      ['/mcp', '/admin/mcp'].map(async (path) => (await post(`${app.origin}${path}`, PING)).headers),
    );
    const metadata = (host: string) => `https://${host}.example.com/.well-known/oauth-protected-resource/mcp`;
    expect(challenges.map((headers) => headers['www-authenticate'])).toEqual([
      `Bearer resource_metadata="${metadata('desk')}"`,
      `Bearer resource_metadata="${metadata('admin')}", scope="admin:purge"`,
    ]);
  });

  it('know each the claims of its caller (AUTH-10, MOD-05)', async () => {
    const desk = perRequest(app.url, { headers: authorize(DESK_TOKEN) });
    expect(textOf(await desk.start('tools/call', { name: 'whoami' }).result())).toBe('ada');
    const admin = perRequest(`${app.origin}/admin/mcp`, { headers: authorize(ADMIN_TOKEN) });
    expect(textOf(await admin.start('tools/call', { name: 'purge' }).result())).toBe('purged by root');
  });

  it('know no session of one another (HTTP-03, MOD-05)', async () => {
    const session = await initialize(app.url, { headers: authorize(DESK_TOKEN) });
    const elsewhere = { ...session.headers, ...authorize(ADMIN_TOKEN) };
    expect(await post(`${app.origin}/admin/mcp`, PING, elsewhere)).toMatchObject({ status: 404 });
  });

  it('lend each its guard to controllers: the default one by class, others by name (AUTH-16, MOD-05)', async () => {
    const get = async (path: string, token: string) => {
      const { status, json } = await sendHttp(`${app.origin}/${path}`, { headers: authorize(token) });
      return status === 200 ? json : status;
    };
    expect(await get('desk-report', DESK_TOKEN)).toEqual({ desk: 'ada' });
    expect(await get('desk-report', ADMIN_TOKEN)).toBe(401);
    expect(await get('admin-report', ADMIN_TOKEN)).toEqual({ admin: 'root' });
    expect(await get('admin-report', DESK_TOKEN)).toBe(401);
  });
});

describe.each(ADAPTERS)('Auth options that other providers give on %s', (adapter) => {
  const options: McpOptions = {
    serverInfo: { name: 'desk', version: '1.0.0' },
    auth: { bearer: { token: DESK_TOKEN, subject: 'ada' } },
  };

  @Injectable()
  class Factory implements McpOptionsFactory {
    async createMcpOptions(): Promise<McpOptions> {
      return options;
    }
  }

  it.each([
    ['a function', McpModule.forRootAsync({ useFactory: async () => options })],
    ['a class', McpModule.forRootAsync({ useClass: Factory })],
  ])('protect the server, by %s (AUTH-01, MOD-02)', async (_, module) => {
    const desk = await bootApp({ adapter, imports: [module], providers: [WhoamiTool] });
    expect(await post(desk.url, PING)).toMatchObject({ status: 401 });
    expect(await sendHttp(desk.url)).toMatchObject({ status: 401 });
    expect(await sendHttp(desk.url, { method: 'DELETE' })).toMatchObject({ status: 401 });
    const session = await initialize(desk.url, { headers: authorize(DESK_TOKEN) });
    expect(textOf(await session.start('tools/call', { name: 'whoami' }).result())).toBe('ada');
    await desk.close();
  });
});

@Injectable()
class Audit {
  readonly entries: string[] = [];
}

@Module({ providers: [Audit], exports: [Audit] })
class AuditModule {}

/** Looks for tokens in a place of its own, admits whom it likes and writes down what it does. */
@Injectable()
class AuditingGuard extends McpAuthGuard {
  constructor(
    authenticator: McpAuthenticator,
    private readonly audit: Audit,
  ) {
    super(authenticator);
  }

  protected override findToken(request: GuardedRequest['request']): string | undefined {
    const key = request.headers['x-desk-key'];
    return typeof key === 'string' ? key : super.findToken(request);
  }

  protected override admit(...[guarded, authentication]: Parameters<McpAuthGuard['admit']>): boolean {
    if (authentication?.claims.sub === 'eve')
      throw this.authenticator.challenges.insufficientScope(['desk:use']);
    this.audit.entries.push(`admitted ${authentication?.claims.sub}`);
    return super.admit(guarded, authentication);
  }

  protected override refuse(guarded: GuardedRequest, error: unknown): boolean {
    this.audit.entries.push(`refused ${(error as Error).name} ${guarded.route.isEndpoint}`);
    return super.refuse(guarded, error);
  }
}

describe.each(ADAPTERS)('A guard that extends the one of the server on %s', (adapter) => {
  it('stands before the endpoint in its place, with its dependencies (AUTH-16)', async () => {
    const desk = await bootApp({
      adapter,
      imports: [
        McpModule.forRootAsync({
          imports: [AuditModule],
          useFactory: () => ({
            serverInfo: { name: 'desk', version: '1.0.0' },
            auth: { bearer: Object.values(CALLERS) },
          }),
          authGuard: AuditingGuard,
        }),
      ],
      providers: [WhoamiTool],
    });
    const { entries } = desk.app.get(Audit, { strict: false });
    const ask = async (headers: Record<string, string>) => {
      const { status, headers: answered } = await perRequest(desk.url, { headers }).request('tools/list');
      return [status, answered['www-authenticate'] ?? 'none', entries.splice(0).join()];
    };
    expect(await ask({ 'x-desk-key': CALLERS.ada.token })).toEqual([200, 'none', 'admitted ada']);
    expect(await ask({ authorization: `Bearer ${CALLERS.bob.token}` })).toEqual([
      200,
      'none',
      'admitted bob',
    ]);
    expect(await ask({})).toEqual([401, 'Bearer', 'refused AuthError true']);
    expect(await ask({ 'x-desk-key': 'another-key' })).toEqual([
      401,
      'Bearer error="invalid_token"',
      'refused AuthError true',
    ]);
    const [status, challenge, entry] = await ask({ 'x-desk-key': CALLERS.eve.token });
    expect([status, entry]).toEqual([403, 'refused AuthError true']);
    expect(challenge).toContain('error="insufficient_scope", scope="desk:use"');
    await desk.close();
  });

  it('lets nobody in where it fails (AUTH-01)', async () => {
    class FailingGuard extends McpAuthGuard {
      protected override findToken(): string | undefined {
        throw new TypeError('broken');
      }
    }
    class DenyingGuard extends McpAuthGuard {
      protected override admit(): boolean {
        return false;
      }
    }
    class SkippingGuard extends McpAuthGuard {
      override canActivate(): boolean {
        return true;
      }
    }
    for (const [authGuard, status] of [
      [FailingGuard, 500],
      [DenyingGuard, 403],
      [SkippingGuard, 401],
    ] as const) {
      const desk = await bootDesk(adapter, { options: { authGuard }, providers: [WhoamiTool] });
      const answer = await post(desk.url, PING, authorize(CALLERS.ada.token));
      expect([authGuard.name, answer.status]).toEqual([authGuard.name, status]);
      expect(answer.text).not.toContain('"result"');
      await desk.close();
    }
  });
});
