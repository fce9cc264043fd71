import {
  BadRequestException,
  Injectable,
  UseFilters,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
} from '@nestjs/common';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EMPTY, from, Observable, of, throwError } from 'rxjs';
import { Arguments, Context } from '../../../../../lib/server/decorators/parameter.decorators.js';
import { Tool } from '../../../../../lib/server/decorators/handler.decorators.js';
import { until } from '../../../../support/until.js';
import { bootCatalog, buildContext, type RunningCatalog } from '../boot-catalog.js';

const pass = { intercept: (_context: ExecutionContext, next: CallHandler) => next.handle() };

@Injectable()
class CallTools {
  @Tool()
  both(...received: unknown[]) {
    return [this, ...received];
  }

  @Tool()
  decorated(
    @Context() context: unknown,
    _undecorated: unknown,
    @Arguments('id') id: unknown,
    @Arguments() all: unknown,
  ) {
    return [context, _undecorated, id, all];
  }

  @Tool()
  fails() {
    throw new BadRequestException('no');
  }
}

describe('A handler without enhancers', () => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await bootCatalog({ providers: [CallTools] });
  });

  it('is called on its provider with the arguments and the context, as they are', async () => {
    const [args, context] = [{ id: 7 }, buildContext()];
    const [self, ...received] = (await running.call('both', args, context)) as unknown[];
    expect(self).toBe(running.app.get(CallTools));
    expect(received).toHaveLength(2);
    expect(received[0]).toBe(args);
    expect(received[1]).toBe(context);
  });

  it('gets what its parameter decorators say, where they say it', async () => {
    const [args, context] = [{ id: 7 }, buildContext()];
    expect(await running.call('decorated', args, context)).toEqual([context, undefined, 7, args]);
  });

  it('gets no argument that only the prototype has', async () => {
    const inherited = Object.create({ id: 8 }) as object;
    const [, , id] = (await running.call('decorated', inherited)) as unknown[];
    expect(id).toBeUndefined();
  });

  it('fails with what it throws', async () => {
    await expect(running.call('fails')).rejects.toThrow(BadRequestException);
  });
});

@Injectable()
class ResultTools {
  readonly subscriptions: string[] = [];

  @Tool()
  promise() {
    return Promise.resolve('last');
  }

  @Tool()
  observable() {
    return from(['first', 'last']);
  }

  @Tool()
  async promisedObservable() {
    return of('first', 'last');
  }

  @UseInterceptors(pass)
  @Tool()
  intercepted() {
    return from(['first', 'last']);
  }

  @UseFilters({ catch: () => from(['first', 'last']) })
  @Tool()
  filtered() {
    throw new Error('no');
  }

  @Tool()
  empty() {
    return EMPTY;
  }

  @UseInterceptors({ intercept: () => EMPTY })
  @Tool()
  interceptedEmpty() {
    return 'first';
  }

  @Tool()
  failing() {
    return throwError(() => new BadRequestException('no'));
  }

  @Tool()
  endless() {
    return this.#watch('endless');
  }

  @UseInterceptors(pass)
  @Tool()
  interceptedEndless() {
    return this.#watch('interceptedEndless');
  }

  #watch(name: string): Observable<never> {
    return new Observable(() => {
      this.subscriptions.push(`${name} begins`);
      return () => this.subscriptions.push(`${name} ends`);
    });
  }
}

describe('What a handler gives', () => {
  let running: RunningCatalog;

  beforeAll(async () => {
    running = await bootCatalog({ providers: [ResultTools] });
  });

  it.each(['promise', 'observable', 'promisedObservable', 'intercepted', 'filtered'])(
    'is the last value: %s',
    async (name) => {
      expect(await running.call(name)).toBe('last');
    },
  );

  it.each(['empty', 'interceptedEmpty'])('is nothing where there is no value: %s', async (name) => {
    expect(await running.call(name)).toBeUndefined();
  });

  it('is the failure of an Observable', async () => {
    await expect(running.call('failing')).rejects.toThrow('no');
  });

  it.each(['endless', 'interceptedEndless'])('ends with the cancellation of the call: %s', async (name) => {
    const { subscriptions } = running.app.get(ResultTools);
    const context = buildContext();
    const call = running.call(name, {}, context);
    await until(() => subscriptions.includes(`${name} begins`), 'the subscription');
    context.cancel('changed my mind');
    await expect(call).rejects.toThrow('changed my mind');
    expect(subscriptions).toContain(`${name} ends`);
  });

  it('is not subscribed to when the call is cancelled already', async () => {
    const { subscriptions } = running.app.get(ResultTools);
    const context = buildContext();
    context.cancel('changed my mind');
    const before = subscriptions.length;
    await expect(running.call('endless', {}, context)).rejects.toThrow('changed my mind');
    expect(subscriptions).toHaveLength(before);
  });
});
