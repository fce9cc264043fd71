import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  HttpException,
  Injectable,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Public, RequireScope, Tool } from 'nestjs-mcp';
import { catchError, map, of, type Observable } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { TeapotFilter } from '../../support/applications/hostile-enhancers.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import {
  authorize,
  bootDesk,
  CALLERS,
  METADATA,
  RESOURCE,
  textOf,
} from '../../support/applications/protected-desk.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const UNAUTHORIZED = { jsonrpc: '2.0', error: { code: -32600, message: 'Unauthorized' } };

/** Makes a success of everything. */
@Injectable()
class SmilingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<{ raw?: object; statusCode: number }>();
    response.statusCode = 200;
    return next.handle().pipe(
      map(() => ({ smile: true })),
      catchError(() => of({ smile: true })),
    );
  }
}

/** Lets everybody pass as somebody. */
class GenerousGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Record<string, unknown>>();
    const claims = { sub: 'root', aud: [], scopes: ['desk:read', 'desk:write'], extra: {} };
    request['auth'] = { claims, hasScope: () => true, requireScope: () => undefined };
    request['user'] = claims;
    return true;
  }
}

class RefusingPipe implements PipeTransform {
  transform(): never {
    throw new HttpException('nothing passes', 422);
  }
}

@Injectable()
class ScopedTools {
  @Tool({ description: 'Closes a ticket' })
  @RequireScope('desk:close')
  close(): string {
    return 'closed';
  }

  @Tool({ description: 'Lists tickets' })
  list(): string {
    return 'listed';
  }
}

@Injectable()
class HelpTools {
  @Tool({ description: 'Tells the opening hours' })
  @Public()
  hours(): string {
    return '9 to 17';
  }
}

describe.each(ADAPTERS)('An application that meddles with refusals on %s', (adapter) => {
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    desk = await bootDesk(adapter, {
      auth: {
        resourceUri: RESOURCE,
        authorizationServers: [issuer.url],
        bearer: Object.values(CALLERS),
        jwt: {},
        requiredScopes: ['desk:read'],
      },
      providers: [ScopedTools],
      configure: (app) => {
        app.use(
          (
            _: unknown,
            response: { statusCode: number; setHeader(...pair: string[]): void },
            next: () => void,
          ) => {
            response.statusCode = 200;
            response.setHeader('WWW-Authenticate', 'Basic realm="application"');
            response.setHeader('Retry-After', '3600');
            next();
          },
        );
        app.useGlobalFilters(new TeapotFilter(app.get(HttpAdapterHost)));
        app.useGlobalInterceptors(new SmilingInterceptor());
        app.useGlobalPipes(new RefusingPipe());
        app.useGlobalGuards(new GenerousGuard());
      },
    });
  });

  afterAll(async () => {
    await desk.close();
    await issuer.stop();
  });

  const requestAll = (token?: string): Promise<RawResponse[]> =>
    Promise.all([
      post(desk.url, PING, authorize(token)),
      sendHttp(desk.url, { headers: { accept: 'text/event-stream', ...authorize(token) } }),
      sendHttp(desk.url, { method: 'DELETE', headers: authorize(token) }),
    ]);

  it('leaves a 401 as it is (AUTH-14, AUTH-16, MOD-09)', async () => {
    const challenge = `Bearer resource_metadata="${METADATA}", scope="desk:read"`;
    for (const { status, headers, json } of await requestAll()) {
      expect([status, headers['www-authenticate'], json]).toEqual([401, challenge, UNAUTHORIZED]);
    }
    for (const { status, headers, json } of await requestAll('not-a-token')) {
      expect([status, headers['www-authenticate'], json]).toEqual([
        401,
        `${challenge}, error="invalid_token"`,
        UNAUTHORIZED,
      ]);
    }
  });

  it('leaves a 403 as it is, of the server and of a handler (AUTH-08, STEP-02, MOD-09)', async () => {
    for (const { status, headers, json } of await requestAll(CALLERS.eve.token)) {
      expect([status, json]).toEqual([
        403,
        { jsonrpc: '2.0', error: { code: -32600, message: 'insufficient_scope: desk:read' } },
      ]);
      expect(headers['www-authenticate']).toMatch(/^Bearer error="insufficient_scope", scope="desk:read", /);
    }
    const client = perRequest(desk.url, { headers: authorize(CALLERS.bob.token) });
    const { status, headers, result } = await client.request('tools/call', { name: 'close' });
    expect([status, result?.['isError']]).toEqual([403, true]);
    expect(headers['www-authenticate']).toContain('scope="desk:read desk:close"');
  });

  it('leaves a 503 as it is while the issuer is down, and others are served (AUTH-12, MOD-09)', async () => {
    const token = await issuer.token({ scope: 'desk:read' });
    issuer.breakDown();
    for (const { status, headers, json } of await requestAll(token)) {
      expect([status, json]).toEqual([
        503,
        {
          jsonrpc: '2.0',
          error: { code: -32603, message: 'Tokens cannot be checked at the moment: try again later' },
        },
      ]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
    }
    const client = perRequest(desk.url, { headers: authorize(CALLERS.bob.token) });
    expect(await client.request('tools/call', { name: 'list' })).toMatchObject({ status: 200 });
    issuer.recover();
  });

  it('makes nobody somebody else (AUTH-01)', async () => {
    const client = perRequest(desk.url, { headers: authorize(CALLERS.bob.token) });
    expect((await client.request('tools/call', { name: 'close' })).status).toBe(403);
    expect((await perRequest(desk.url).request('tools/call', { name: 'list' })).status).toBe(401);
  });

  it('leaves what is served as it is (MOD-09)', async () => {
    const session = await initialize(desk.url, { headers: authorize(CALLERS.ada.token) });
    expect(textOf((await session.request('tools/call', { name: 'list' })).result ?? {})).toBe('listed');
  });
});

describe.each(ADAPTERS)('The endpoint of a server that asks for tokens on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  it.each([
    ['with a public handler', [ScopedTools, HelpTools]],
    ['without', [ScopedTools]],
  ])('has the methods that it has, whoever asks: %s (HTTP-01)', async (_, providers) => {
    desk = await bootDesk(adapter, { providers });
    for (const method of ['PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
      for (const token of [undefined, CALLERS.ada.token]) {
        const answer = await sendHttp(desk.url, { method, headers: authorize(token) });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'POST, GET, DELETE']);
      }
    }
  });
});
