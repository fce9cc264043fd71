import { setTimeout as delay } from 'node:timers/promises';
import { BadRequestException } from '@nestjs/common';
import { RpcException } from '@nestjs/microservices';
import type { McpContext } from 'nestjs-mcp';
import { concat, EMPTY, interval, NEVER, of, range, throwError } from 'rxjs';

/** What no caller may ever read. */
export const SECRET = 'hunter2';

/** What a handler does wrong. */
export type Fault = (context: McpContext) => unknown;

function fail(thrown: unknown): never {
  throw thrown;
}

function buildError(): Error {
  return new Error(`password ${SECRET}`);
}

const THROWING_TRAPS = Object.fromEntries(
  ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor'].map((name) => [
    name,
    () => fail(buildError()),
  ]),
);

class UnreadableError extends Error {
  override get message(): string {
    throw buildError();
  }
}

function buildCycle(): object {
  const cycle: Record<string, unknown> = { name: SECRET };
  cycle['self'] = [cycle];
  return cycle;
}

function buildDepth(): unknown {
  let value: unknown = SECRET;
  for (let level = 0; level < 100_000; level += 1) value = [value];
  return value;
}

/** Failures: each call that meets one is owed an error of which it learns nothing. */
export const FAILURES: Readonly<Record<string, Fault>> = {
  error: () => fail(buildError()),
  string: () => fail(SECRET),
  undefined: () => fail(undefined),
  null: () => fail(null),
  symbol: () => fail(Symbol(SECRET)),
  bareObject: () => fail(Object.create(null)),
  frozen: () => fail(Object.freeze(buildError())),
  unreadable: () => fail(new UnreadableError()),
  untouchable: () => fail(new Proxy({}, THROWING_TRAPS)),
  cyclicError: () => fail(Object.assign(buildError(), { cause: buildCycle() })),
  rpcException: () => fail(new RpcException(SECRET)),
  rejection: () => Promise.reject(buildError()),
  lateRejection: async () => {
    await delay(20);
    throw buildError();
  },
  afterThree: () =>
    concat(
      of(1, 2, 3),
      throwError(() => buildError()),
    ),
  returnsCycle: () => buildCycle(),
  returnsBigint: () => ({ amount: 42n }),
  returnsFunction: () => () => SECRET,
  returnsSymbol: () => Symbol(SECRET),
  returnsDepth: () => buildDepth(),
  returnsTraps: () => new Proxy({}, THROWING_TRAPS),
  returnsThrowingJson: () => ({ toJSON: () => fail(buildError()) }),
  returnsNoJson: () => ({ toJSON: () => undefined }),
  returnsMap: () => new Map([[1, 2]]),
  returnsThrowingGetter: () => ({
    get value() {
      return fail(buildError());
    },
  }),
};

/** What never ends by itself: each call is owed an error when its time is over. */
export const DELAYS: Readonly<Record<string, Fault>> = {
  hangs: () => new Promise(() => undefined),
  ignoresSignal: async () => {
    await delay(600_000, undefined, { ref: false });
  },
  rejectsTooLate: async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await delay(50);
    throw buildError();
  },
  neverSettles: () => ({ then: () => undefined }),
  neverCompletes: () => NEVER,
  emitsForEver: () => interval(1),
};

/** What is odd and is served all the same. */
export const ODDITIES: Readonly<Record<string, Fault>> = {
  empty: () => EMPTY,
  million: () => range(1, 1_000_000),
  date: () => new Date(0),
  nan: () => Number.NaN,
  surrogate: () => 'half \ud800 of a pair',
  changing: () => {
    let count = 0;
    return {
      get count() {
        return (count += 1);
      },
    };
  },
};

/** What a tool refuses, since JSON shows it as an object of places, and anything else serves. */
export const PLACES: Readonly<Record<string, Fault>> = {
  floats: () => new Float64Array(2),
};

/** What a resource serves as a stream, and nothing else can. */
export const STREAMS: Readonly<Record<string, Fault>> = {
  values: async function* () {
    yield await Promise.resolve('a');
  },
};

/** What takes a while, and less than it may. */
const SLOWNESS: Readonly<Record<string, Fault>> = {
  soon: async () => {
    await delay(700);
    return 'soon';
  },
};

/** Failures that are meant for the caller. */
export const MESSAGES: Readonly<Record<string, Fault>> = {
  httpException: () => fail(new BadRequestException('No such ticket')),
};

export const FAULTS: Readonly<Record<string, Fault>> = {
  ...FAILURES,
  ...DELAYS,
  ...ODDITIES,
  ...PLACES,
  ...STREAMS,
  ...MESSAGES,
};

/** Has the fault of a name. */
export function commit(kind: string, context: McpContext): unknown {
  return (FAULTS[kind] ?? SLOWNESS[kind] ?? (() => fail(new Error(`There is no fault "${kind}"`))))(context);
}
