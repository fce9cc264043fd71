import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Controller,
  Get,
  HttpException,
  Injectable,
  Module,
  Post,
  Req,
  UseGuards,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  AuthUnavailableError,
  Claims,
  McpAuthGuard,
  McpModule,
  Public,
  RequireScope,
  Tool,
  type AuthenticatedRequest,
  type TokenValidator,
} from 'nestjs-mcp';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import {
  authorize,
  bootDesk,
  CALLERS,
  METADATA,
  PUBLISHED,
  textOf,
} from '../../support/applications/protected-desk.js';
import { sendBytes, sendHttp, type RawResponse } from '../../support/clients/raw-http.js';

const { ada, bob, eve } = CALLERS;

/** Routes that classes inherit, each with rules of its own. */
class Listing {
  @Get('list')
  list(@Claims('sub') subject: string): object {
    return { list: subject ?? 'anybody' };
  }
}

@Controller('open')
@UseGuards(McpAuthGuard)
@Public()
class OpenController extends Listing {}

@Controller('closed')
@UseGuards(McpAuthGuard)
@RequireScope('desk:write')
class ClosedController extends Listing {}

@Controller('reports')
@UseGuards(McpAuthGuard)
class ReportController {
  @Get()
  all(@Claims() claims: Claims): Claims {
    return claims;
  }

  @Get('request')
  ask(@Req() { auth }: AuthenticatedRequest): object {
    return { subject: auth?.claims?.sub, writes: auth?.hasScope('desk:write') };
  }

  @Post()
  @RequireScope('desk:audit', 'desk:write')
  create(@Claims('sub') subject: string): object {
    return { by: subject };
  }

  @Get('late')
  late(@Req() { auth }: AuthenticatedRequest): object {
    auth?.requireScope('desk:late');
    return {};
  }

  @Get('hours')
  @Public()
  hours(@Claims('sub') subject: string): object {
    return { hours: '9 to 17', subject: subject ?? 'anybody' };
  }

  @Get('contradiction')
  @Public()
  @RequireScope('desk:write')
  contradiction(): object {
    return { contradiction: true };
  }
}

@Controller('free')
class FreeController {
  @Get()
  get(): object {
    return { free: true };
  }
}

/** A module that does not import the server's. */
@Module({ controllers: [ReportController, OpenController, ClosedController, FreeController] })
class ReportModule {}

const OUTAGE: TokenValidator = {
  validate: (token) => {
    if (token === 'too-many') {
      throw new AuthUnavailableError('too many of them come', { httpStatus: 429, retryAfterSeconds: 3 });
    }
    if (token !== 'outage') return undefined;
    throw new AuthUnavailableError('the key service does not answer', { retryAfterSeconds: 9 });
  },
};

const AUTH = { ...PUBLISHED, bearer: [ada, bob, eve], validator: OUTAGE };

@Injectable()
class PublicTools {
  @Tool({ description: 'Tells the opening hours' })
  @Public()
  hours(): string {
    return '9 to 17';
  }

  @Tool({ description: 'Is open, but for a guard of its own' })
  @Public()
  @UseGuards(McpAuthGuard)
  guarded(@Claims('sub') subject: string): string {
    return `for ${subject}`;
  }
}

describe.each(ADAPTERS)("The guard before the application's own controllers on %s", (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, { auth: AUTH, imports: [ReportModule], providers: [PublicTools] });
  });

  afterAll(() => desk.close());

  const get = (path: string, token?: string, method = 'GET'): Promise<RawResponse> =>
    sendHttp(`${desk.origin}/${path}`, { method, headers: authorize(token) });

  it.each([
    ['without a token', undefined, `Bearer resource_metadata="${METADATA}"`],
    ['with a bad one', 'not-a-token', `Bearer resource_metadata="${METADATA}", error="invalid_token"`],
  ])(
    'refuses a request %s with the exception of Nest and the challenge (AUTH-16)',
    async (_, token, header) => {
      const { status, headers, json } = await get('reports', token);
      expect([status, headers['www-authenticate']]).toEqual([401, header]);
      expect(json).toMatchObject({ message: 'Unauthorized', statusCode: 401 });
    },
  );

  it('gives the claims to handlers, whole, one of them, and on the request (AUTH-10, AUTH-16)', async () => {
    expect((await get('reports', ada.token)).json).toEqual({
      sub: 'ada',
      aud: [],
      scopes: ada.scopes,
      extra: {},
    });
    expect((await get('reports/request', bob.token)).json).toEqual({ subject: 'bob', writes: false });
    expect((await get('closed/list', ada.token)).json).toEqual({ list: 'ada' });
  });

  it('asks for the scopes of a route with one complete challenge (AUTH-16, STEP-01)', async () => {
    const { status, headers, json } = await get('reports', ada.token, 'POST');
    expect([status, headers['www-authenticate']]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="desk:audit desk:write", ' +
        `resource_metadata="${METADATA}", error_description="The token lacks a required scope"`,
    ]);
    expect(json).toMatchObject({ statusCode: 403, message: 'insufficient_scope: desk:audit desk:write' });
    expect(await get('closed/list', bob.token)).toMatchObject({ status: 403 });
  });

  it('asks for the scopes that a handler finds out it needs (AUTH-10, AUTH-16)', async () => {
    const { status, headers, json } = await get('reports/late', ada.token);
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toContain('error="insufficient_scope", scope="desk:late"');
    expect(json).toMatchObject({ statusCode: 403, message: 'insufficient_scope: desk:late' });
  });

  it('lets anybody in where a route is public, and tells who comes with a token (AUTH-16)', async () => {
    expect((await get('reports/hours')).json).toEqual({ hours: '9 to 17', subject: 'anybody' });
    expect((await get('reports/hours', bob.token)).json).toEqual({ hours: '9 to 17', subject: 'bob' });
    expect(await get('reports/hours', 'not-a-token')).toMatchObject({ status: 401 });
  });

  it('knows a route by its class, though classes inherit it (AUTH-16)', async () => {
    for (const path of ['open/list', 'closed/list', 'open/list']) {
      expect((await get(path)).status).toBe(path.startsWith('open') ? 200 : 401);
    }
  });

  it('asks for the scopes of a route that says it is public as well (AUTH-16)', async () => {
    expect(await get('reports/contradiction')).toMatchObject({ status: 401 });
    expect(await get('reports/contradiction', bob.token)).toMatchObject({ status: 403 });
    expect(await get('reports/contradiction', ada.token)).toMatchObject({ status: 200 });
  });

  it('answers with 503 and when to come back while tokens cannot be checked (AUTH-12, AUTH-16)', async () => {
    const { status, headers, json } = await get('reports', 'outage');
    expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([503, '9', undefined]);
    expect(json).toMatchObject({ statusCode: 503, message: 'Tokens cannot be checked at the moment' });
  });

  it('answers with 429 and when to come back if one token cannot be checked yet (AUTH-16) (FAIR-09)', async () => {
    const { status, headers, json } = await get('reports', 'too-many');
    expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([429, '3', undefined]);
    const message = 'The token cannot be checked yet: try again later';
    expect(json).toMatchObject({ statusCode: 429, message });
    const { status: atEndpoint, headers: told } = await sendHttp(desk.url, {
      headers: authorize('too-many'),
    });
    expect([atEndpoint, told['retry-after']]).toEqual([429, '3']);
  });

  it('reads the token where it does at the endpoint (AUTH-02, AUTH-16)', async () => {
    expect(await get(`reports?access_token=${ada.token}`)).toMatchObject({ status: 401 });
    const twice = `Authorization: Bearer ${ada.token}\r\n`.repeat(2);
    const answer = await sendBytes(
      desk.port,
      `GET /reports HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${twice}\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('stands before no route that does not ask for it (AUTH-16)', async () => {
    expect((await get('free')).json).toEqual({ free: true });
  });

  it('stands before a handler of the server that asks for it (AUTH-16)', async () => {
    const anybody = perRequest(desk.url);
    expect(await anybody.request('tools/call', { name: 'hours' })).toMatchObject({ status: 200 });
    const refused = await anybody.request('tools/call', { name: 'guarded' });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${METADATA}"`,
    ]);
    const session = await initialize(desk.url, { headers: authorize(eve.token) });
    expect(textOf((await session.request('tools/call', { name: 'guarded' })).result ?? {})).toBe('for eve');
  });
});

/** Makes a page of every refusal. */
@Catch(HttpException)
class PageFilter implements ExceptionFilter<HttpException> {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(exception: HttpException, host: ArgumentsHost): void {
    const page = { page: exception.getStatus(), cause: (exception.cause as Error | undefined)?.name };
    this.host.httpAdapter.reply(host.switchToHttp().getResponse(), page, 200);
  }
}

describe.each(ADAPTERS)('A filter of the application on %s', (adapter) => {
  it('may rewrite refusals of its own routes, not those of the endpoint (AUTH-16, MOD-09)', async () => {
    const desk = await bootDesk(adapter, {
      auth: AUTH,
      imports: [ReportModule],
      configure: (app) => void app.useGlobalFilters(new PageFilter(app.get(HttpAdapterHost))),
    });
    const own = await Promise.all([
      sendHttp(`${desk.origin}/reports`),
      sendHttp(`${desk.origin}/reports`, { method: 'POST', headers: authorize(eve.token) }),
      sendHttp(`${desk.origin}/reports`, { headers: authorize('outage') }),
      sendHttp(`${desk.origin}/reports/late`, { headers: authorize(eve.token) }),
    ]);
    expect(own.map(({ status, json }) => [status, json])).toEqual([
      [200, { page: 401, cause: 'AuthError' }],
      [200, { page: 403, cause: 'AuthError' }],
      [200, { page: 503, cause: 'AuthUnavailableError' }],
      [200, { page: 403, cause: 'AuthError' }],
    ]);
    expect(await sendHttp(desk.url)).toMatchObject({ status: 401 });
    expect(await sendHttp(desk.url, { headers: authorize('outage') })).toMatchObject({ status: 503 });
    await desk.close();
  });
});

describe('The guard of a server without auth options', () => {
  it('stops the start: it has nothing to check tokens by (AUTH-16, MOD-11)', async () => {
    const { message } = await bootFailure({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }), ReportModule],
    });
    expect(message).toContain('"auth" is missing');
  });
});
