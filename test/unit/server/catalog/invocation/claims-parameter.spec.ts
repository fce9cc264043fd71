import {
  Injectable,
  ParseIntPipe,
  Scope,
  UseGuards,
  ValidationPipe,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IsInt } from 'class-validator';
import { z } from 'zod';
import { hasEnhancers, type HandlerMethod } from '../../../../../lib/server/catalog/invocation/enhancers.js';
import { McpExecutionContext } from '../../../../../lib/server/catalog/invocation/execution-context.js';
import { Arguments, Claims, Context } from '../../../../../lib/server/decorators/parameter.decorators.js';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { buildAuth } from '../../../support/caller.js';
import { bootCatalog, buildContext, type RunningCatalog } from '../boot-catalog.js';

class AgeDto {
  @IsInt()
  age!: number;
}

/** Lets pass who has a subject; guards see the claims too. */
@Injectable()
class SubjectGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    return McpExecutionContext.create(context).getContext().auth.claims?.sub !== undefined;
  }
}

class ClaimTools {
  @Tool()
  all(@Claims() claims: Claims) {
    return claims;
  }

  @Tool()
  mixed(
    @Claims('sub') subject: string,
    _undecorated: unknown,
    @Context() context: unknown,
    @Claims('scopes') scopes: string[],
    @Arguments('id') id: unknown,
  ) {
    return [subject, _undecorated, context, scopes, id];
  }

  @Tool({ inputSchema: z.object({ age: z.int() }) })
  checked(@Claims() claims: Claims, @Arguments() { age }: AgeDto) {
    return [claims, age];
  }

  @Tool()
  mine(@Claims('sub') subject: unknown) {
    return subject;
  }
}

@Injectable()
class DirectTools extends ClaimTools {}

@Injectable()
@UseGuards(SubjectGuard)
class GuardedTools extends ClaimTools {}

@Injectable({ scope: Scope.REQUEST })
class ScopedTools extends ClaimTools {}

@Injectable()
class PipedTools {
  @Tool()
  number(@Claims('sub', ParseIntPipe) subject: number) {
    return subject;
  }
}

const auth = buildAuth({ sub: 'ada', iss: 'https://login.example.com', scopes: ['desk:read'] });
const { claims } = auth;

describe.each([
  ['called directly', { providers: [DirectTools] }],
  ['behind a guard', { providers: [GuardedTools] }],
  ['of a request-scoped class', { providers: [ScopedTools] }],
  [
    'behind a global ValidationPipe',
    {
      providers: [DirectTools],
      globalEnhancers: true,
      configure: (app: { useGlobalPipes(pipe: object): unknown }) =>
        app.useGlobalPipes(
          new ValidationPipe({
            transform: true,
            whitelist: true,
            forbidNonWhitelisted: true,
            forbidUnknownValues: true,
          }),
        ),
    },
  ],
])('A handler with @Claims(), %s,', (_how, options) => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await bootCatalog(options);
  });

  afterAll(() => running.app.close());

  it('gets all claims, as they are (AUTH-10)', async () => {
    expect(await running.call('all', {}, buildContext({}, auth))).toBe(claims);
  });

  it('gets one of them among other parameters (AUTH-10)', async () => {
    const context = buildContext({}, auth);
    expect(await running.call('mixed', { id: 7, sub: 'eve' }, context)).toEqual([
      'ada',
      undefined,
      context,
      ['desk:read'],
      7,
    ]);
  });

  it('gets its arguments beside them (AUTH-10)', async () => {
    expect(await running.call('checked', { age: 7 }, buildContext({}, auth))).toEqual([claims, 7]);
  });
});

describe('A handler with @Claims()', () => {
  it('needs nothing of Nest’s chain for it, unless it has pipes (MOD-04)', () => {
    const describeMethod = (classRef: Type, methodName: string) =>
      ({ classRef, methodName, method: () => undefined }) as unknown as HandlerMethod;
    expect(hasEnhancers(describeMethod(DirectTools, 'mixed'))).toBe(false);
    expect(hasEnhancers(describeMethod(PipedTools, 'number'))).toBe(true);
  });

  it('gets nothing where there is no token, or on an open server (AUTH-10)', async () => {
    const { call } = await bootCatalog({ providers: [DirectTools] });
    expect(await call('all', {}, buildContext({}, buildAuth()))).toBeUndefined();
    expect(await call('mine')).toBeUndefined();
  });

  it('is behind its guards, which see the claims (AUTH-10)', async () => {
    const { call } = await bootCatalog({ providers: [GuardedTools] });
    await expect(call('mine', {}, buildContext({}, buildAuth({ scopes: ['a'] })))).rejects.toThrow(
      'Forbidden',
    );
    await expect(call('mine', {}, buildContext({}, buildAuth()))).rejects.toThrow('Forbidden');
  });

  it('has its pipes applied to them (AUTH-10)', async () => {
    const { call } = await bootCatalog({ providers: [PipedTools] });
    expect(await call('number', {}, buildContext({}, buildAuth({ sub: '42' })))).toBe(42);
    await expect(call('number', {}, buildContext({}, auth))).rejects.toThrow(/numeric string is expected/);
  });
});
