import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Inject,
  Injectable,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Tool, type McpContext } from 'nestjs-mcp';
import { EMPTY, NEVER, mergeMap, type Observable } from 'rxjs';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../support/applications/boot.js';
import { bootServer } from '../support/applications/server.js';
import { initialize, perRequest } from '../support/clients/json-rpc.js';
import { readText } from './faulty-wires.js';

const SECRET = 'hunter2';
/** What never ends has little time; all else has as long as it needs. */
const HURRIED = { timeoutMs: 300 };
const HIDDEN = /^Internal error(?: \(incident \w+\))?$/;

function fail(): never {
  throw new Error(SECRET);
}

class ThrowingGuard implements CanActivate {
  canActivate(): boolean {
    return fail();
  }
}

class HangingGuard implements CanActivate {
  canActivate(): Promise<boolean> {
    return new Promise(() => undefined);
  }
}

class EmptyGuard implements CanActivate {
  canActivate(): Observable<boolean> {
    return EMPTY;
  }
}

class ThrowingPipe implements PipeTransform {
  transform(): unknown {
    return fail();
  }
}

class HangingPipe implements PipeTransform {
  transform(): Promise<unknown> {
    return new Promise(() => undefined);
  }
}

class ThrowingInterceptor implements NestInterceptor {
  intercept(): Observable<unknown> {
    return fail();
  }
}

class LateInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(mergeMap(() => fail()));
  }
}

class HangingInterceptor implements NestInterceptor {
  intercept(): Observable<unknown> {
    return NEVER;
  }
}

@Catch()
class ThrowingFilter implements ExceptionFilter {
  catch(): unknown {
    return fail();
  }
}

@Catch()
class HangingFilter implements ExceptionFilter {
  catch(): Observable<unknown> {
    return NEVER;
  }
}

@Injectable()
class EnhancedTools {
  @Tool()
  @UseGuards(ThrowingGuard)
  guardThrows(): string {
    return 'done';
  }

  @Tool(HURRIED)
  @UseGuards(HangingGuard)
  guardHangs(): string {
    return 'done';
  }

  @Tool()
  @UseGuards(EmptyGuard)
  guardIsEmpty(): string {
    return 'done';
  }

  @Tool()
  @UsePipes(ThrowingPipe)
  pipeThrows(given: object): string {
    return JSON.stringify(given);
  }

  @Tool(HURRIED)
  @UsePipes(HangingPipe)
  pipeHangs(given: object): string {
    return JSON.stringify(given);
  }

  @Tool()
  @UseInterceptors(ThrowingInterceptor)
  interceptorThrows(): string {
    return 'done';
  }

  @Tool()
  @UseInterceptors(LateInterceptor)
  interceptorThrowsLate(): string {
    return 'done';
  }

  @Tool(HURRIED)
  @UseInterceptors(HangingInterceptor)
  interceptorHangs(): string {
    return 'done';
  }

  @Tool()
  @UseFilters(ThrowingFilter)
  filterThrows(): string {
    return fail();
  }

  @Tool(HURRIED)
  @UseFilters(HangingFilter)
  filterHangs(): string {
    return fail();
  }

  @Tool({ outputSchema: z.object({ count: z.number() }) })
  breaksItsSchema(): object {
    return { count: SECRET };
  }

  @Tool({ outputSchema: z.object({ count: z.number() }) })
  givesNoNumber(): object {
    return { count: Number.NaN };
  }

  @Tool()
  works(): string {
    return 'done';
  }
}

/** What the constructor of a provider makes of a call. */
@Injectable({ scope: Scope.REQUEST })
class FailingPerCall {
  constructor(@Inject(REQUEST) readonly context: McpContext) {
    fail();
  }

  @Tool()
  constructorThrows(): string {
    return 'done';
  }
}

const FAILURES = [
  'guardThrows',
  'guardIsEmpty',
  'pipeThrows',
  'interceptorThrows',
  'interceptorThrowsLate',
  'filterThrows',
  'breaksItsSchema',
  'givesNoNumber',
  'constructorThrows',
];
const DELAYS = ['guardHangs', 'pipeHangs', 'interceptorHangs', 'filterHangs'];

describe.each(ADAPTERS)('What stands before and behind a handler, and fails, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      providers: [EnhancedTools, FailingPerCall],
    });
  });

  afterAll(() => desk.close());

  it.each(['session', 'stateless'])(
    'fails its own call alone, hidden or when its time is over, on the %s wire (SAFE-04) (MOD-03) (MOD-04) (MOD-08)',
    async (wire) => {
      const client = wire === 'session' ? await initialize(desk.url) : perRequest(desk.url);
      const call = (name: string) => client.request('tools/call', { name });
      const [hidden, late, works] = await Promise.all([
        Promise.all(FAILURES.map(call)),
        Promise.all(DELAYS.map(call)),
        Promise.all(Array.from({ length: 50 }, () => call('works'))),
      ]);
      expect(hidden.map((answer) => HIDDEN.test(readText(answer)))).toEqual(FAILURES.map(() => true));
      expect(late.map(readText)).toEqual(
        DELAYS.map(() => 'The call took longer than 300 ms and was stopped'),
      );
      expect([...hidden, ...late].every(({ result }) => result?.['isError'] === true)).toBe(true);
      expect(JSON.stringify([hidden, late])).not.toContain(SECRET);
      expect(new Set(works.map(readText))).toEqual(new Set(['done']));
    },
  );
});
