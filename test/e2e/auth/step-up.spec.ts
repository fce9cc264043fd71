import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Injectable,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { AuthError, RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import type { Answer } from '../../support/clients/call.js';
import { bootDesk, METADATA, PUBLISHED, textOf, WAYS } from '../../support/applications/protected-desk.js';

/** What ran, in order. */
const ran: string[] = [];

@Injectable()
class NotingGuard implements CanActivate {
  canActivate(): boolean {
    ran.push('guard');
    return true;
  }
}

@Injectable()
class NotingInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    ran.push('interceptor');
    return next.handle();
  }
}

@Injectable()
class NotingPipe implements PipeTransform {
  transform(value: unknown): unknown {
    ran.push('pipe');
    return value;
  }
}

const TICKET = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const ANYTHING = { type: 'object' } as const;

@Injectable()
@RequireScope('desk:use', 'desk:tickets')
@UseGuards(NotingGuard)
@UseInterceptors(NotingInterceptor)
class TicketTools {
  @Tool({ description: 'Lists tickets' })
  list(): string {
    ran.push('list');
    return 'listed';
  }

  @Tool({ description: 'Closes a ticket', inputSchema: TICKET })
  @RequireScope('desk:close', 'desk:use')
  @UsePipes(NotingPipe)
  close(): string {
    ran.push('close');
    return 'closed';
  }

  @Tool({ description: 'Finds out late what it needs' })
  late(_arguments: object, { auth }: McpContext): string {
    ran.push('late');
    auth.requireScope('desk:use', 'desk:late');
    return 'late';
  }

  @Tool({ description: 'Finds out what it needs when its answer has begun' })
  streamed(_arguments: object, context: McpContext): string {
    context.progress(1, 2, 'begun');
    context.auth.requireScope('desk:late');
    return 'streamed';
  }

  @Tool({ description: 'Takes what it can get', inputSchema: ANYTHING })
  polite({ scope }: { scope?: string }, { auth }: McpContext): string {
    try {
      auth.requireScope(String(scope));
    } catch (error) {
      return error instanceof AuthError ? `${error.code} ${error.message}` : 'another error';
    }
    return 'granted';
  }
}

@Injectable()
class OtherTools {
  @Tool({ description: 'Needs a token' })
  any(): string {
    return 'any';
  }

  @Tool({ description: 'Refuses in words of its own' })
  closed(): never {
    throw new AuthError(403, 'the desk is closed to guests');
  }

  @Tool({ description: 'Refuses with a challenge of its own' })
  elsewhere(): never {
    throw new AuthError(
      401,
      'log in again',
      'Bearer error="invalid_token", error_description="too old – sorry"',
    );
  }
}

const TOKENS = {
  none: { token: 'fixed-token-with-no-scope', subject: 'eve' },
  some: { token: 'fixed-token-with-some-of-them', subject: 'bob', scopes: ['desk:tickets', 'desk:use'] },
  all: {
    token: 'fixed-token-with-all-of-them',
    subject: 'ada',
    scopes: ['desk:close', 'desk:tickets', 'desk:use'],
  },
};

/** The challenge for scopes, to the letter. */
const challengeFor = (scope: string): string =>
  `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${METADATA}", ` +
  'error_description="The token lacks a required scope"';

describe.each(WAYS)('A tool that requires scopes $wire on $adapter', ({ adapter, connect, wire }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(TOKENS) },
      providers: [TicketTools, OtherTools, NotingGuard, NotingInterceptor, NotingPipe],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  async function call(
    caller: keyof typeof TOKENS,
    name: string,
    params: { readonly arguments?: object; readonly _meta?: object } = {},
  ): Promise<Answer> {
    const request = await connect(desk.url, TOKENS[caller].token);
    return request('tools/call', { name, ...params }).answer();
  }

  /** What every refusal of a tool looks like. */
  function expectRefusal({ status, headers, response, result }: Answer, scope: string): void {
    expect([status, headers['www-authenticate']]).toEqual([403, challengeFor(scope)]);
    expect(headers['content-type']).toBe('application/json');
    expect(response).toMatchObject({ jsonrpc: '2.0', id: expect.any(Number) });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: `insufficient_scope: ${scope}` }],
      isError: true,
    });
    expect(result?.['resultType']).toBe(wire === 'in a session' ? undefined : 'complete');
  }

  it('is called by whoever has all of them (STEP-01)', async () => {
    const { status, headers, result } = await call('all', 'close', { arguments: { id: 1 } });
    expect([status, headers['www-authenticate'], textOf(result ?? {})]).toEqual([200, undefined, 'closed']);
    expect(ran).toEqual(['guard', 'interceptor', 'pipe', 'close']);
  });

  it('answers 403, with the scopes of class and method in declared order (STEP-01, STEP-02)', async () => {
    expectRefusal(await call('none', 'close', { arguments: { id: 1 } }), 'desk:use desk:tickets desk:close');
    expectRefusal(await call('none', 'list'), 'desk:use desk:tickets');
  });

  it('names the scopes that the caller has as well (STEP-01)', async () => {
    expectRefusal(await call('some', 'close', { arguments: { id: 1 } }), 'desk:use desk:tickets desk:close');
    expect((await call('some', 'list')).status).toBe(200);
  });

  it('is not reached, nor its guards, interceptors and pipes (STEP-01)', async () => {
    await call('some', 'close', { arguments: { id: 1 } });
    expect(ran).toEqual([]);
  });

  it('does not say whether arguments would do (STEP-01)', async () => {
    expectRefusal(await call('some', 'close', { arguments: {} }), 'desk:use desk:tickets desk:close');
    expectRefusal(
      await call('some', 'close', { arguments: { id: 'one' }, _meta: { progressToken: 1 } }),
      'desk:use desk:tickets desk:close',
    );
  });

  it('answers so where its handler asks for scopes before the answer has begun (STEP-01, STEP-02)', async () => {
    expectRefusal(await call('all', 'late'), 'desk:use desk:tickets desk:late');
    expect(ran).toEqual(['guard', 'interceptor', 'late']);
  });

  it('says so on the stream where that has begun (STEP-03)', async () => {
    const answer = await call('all', 'streamed', { _meta: { progressToken: 'late' } });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([200, undefined]);
    expect(answer.notifications).toHaveLength(1);
    expect(answer.result).toMatchObject({
      content: [{ type: 'text', text: 'insufficient_scope: desk:use desk:tickets desk:late' }],
      isError: true,
    });
  });

  it('answers 403 where the client wants no progress, so that nothing was sent (STEP-02)', async () => {
    expectRefusal(await call('all', 'streamed'), 'desk:use desk:tickets desk:late');
  });

  it('may go on without a scope that its handler finds missing (STEP-04)', async () => {
    const { result } = await call('all', 'polite', { arguments: { scope: 'desk:late' } });
    expect(textOf(result ?? {})).toBe('403 insufficient_scope: desk:use desk:tickets desk:late');
    const granted = await call('all', 'polite', { arguments: { scope: 'desk:close' } });
    expect(textOf(granted.result ?? {})).toBe('granted');
  });

  it('refuses in words of its own, with a challenge or a plain one (STEP-04)', async () => {
    const closed = await call('all', 'closed');
    expect([closed.status, closed.headers['www-authenticate']]).toEqual([403, 'Bearer']);
    expect(closed.result).toMatchObject({
      isError: true,
      content: [{ text: 'the desk is closed to guests' }],
    });
    const elsewhere = await call('all', 'elsewhere');
    expect([elsewhere.status, elsewhere.headers['www-authenticate']]).toEqual([
      401,
      'Bearer error="invalid_token", error_description="too old  sorry"',
    ]);
    expect(elsewhere.result).toMatchObject({ isError: true, content: [{ text: 'log in again' }] });
  });

  it('leaves tools alone that require none, and those that do not exist (STEP-01)', async () => {
    expect((await call('none', 'any')).status).toBe(200);
    const missing = await call('none', 'missing');
    expect([missing.status, missing.error?.code]).toEqual([200, -32602]);
  });
});

describe('What an AuthError is made of', () => {
  it('is its code, its message and its challenge, if it has one (STEP-04)', () => {
    const [plain, challenging] = [new AuthError(403, 'no'), new AuthError(401, 'who?', 'Bearer')];
    expect(plain).toMatchObject({ name: 'AuthError', code: 403, message: 'no', wwwAuthenticate: undefined });
    expect(challenging).toMatchObject({ code: 401, message: 'who?', wwwAuthenticate: 'Bearer' });
    expect(plain).toBeInstanceOf(Error);
  });

  it('leaves out of its challenge what no header can hold (STEP-04)', () => {
    const { wwwAuthenticate } = new AuthError(
      403,
      'no',
      'Bearer error_description="gesperrt – für\r\nGäste"',
    );
    expect(wwwAuthenticate).toBe('Bearer error_description="gesperrt  fürGäste"');
  });
});
