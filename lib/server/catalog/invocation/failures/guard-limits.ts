import { HttpException, HttpStatus } from '@nestjs/common';
import { parseRetryAfter } from '../../../../core/protocol/headers/retry-after.js';
import type { HandlerCall } from '../handler-call.js';

/** When to come again, if a guard does not say. */
const USUAL_MS = 1000;

/** When to come again, by what guards threw. */
const WAITS = new WeakMap<object, number>();

/**
 * Notes that a guard refused a call with status 429, as `ThrottlerGuard` does. Returns the guard's error. This is a limit
 * of this server. An error of a handler may be the limit of a service that it uses.
 */
export function noteGuardLimit(thrown: unknown, call: HandlerCall): unknown {
  if (!isTooMany(thrown)) return thrown;
  const headers = Object.entries(call.usedResponse?.getHeaders() ?? {});
  // Named throttlers have headers of their own.
  const told = headers
    .filter(([name]) => name.startsWith('retry-after'))
    .map(([, value]) => parseRetryAfter(String(value), Date.now()) ?? 0);
  WAITS.set(thrown, told.length === 0 ? USUAL_MS : Math.max(...told));
  return thrown;
}

/** Returns the milliseconds after which to try again, if a guard limited the call. An exception filter may have answered that error. */
export function findGuardWait(failure: unknown): number | undefined {
  if (!isTooMany(failure)) return undefined;
  const { cause } = failure;
  return WAITS.get(failure) ?? (isTooMany(cause) ? WAITS.get(cause) : undefined);
}

function isTooMany(thrown: unknown): thrown is HttpException {
  return thrown instanceof HttpException && thrown.getStatus() === HttpStatus.TOO_MANY_REQUESTS.valueOf();
}
