import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { from, map, type Observable } from 'rxjs';
import { isPromiseLike } from '../../../core/waiting/is-promise-like.js';
import { HandlerExecutionContext } from './handler-execution-context.js';
import { findSerializedPart, isSerializer, type SerializedPart } from './serializers.js';

interface Fault {
  /** What it returned. */
  readonly given: unknown;
  readonly isGlobal: boolean;
  readonly cause: unknown;
}

/** Is thrown if an interceptor returns no Observable, as one does that knows no calls of the type `mcp`. */
class InterceptorError extends Error {
  override readonly name = 'InterceptorError';

  constructor(className: string, { given, isGlobal, cause }: Fault) {
    const kind = given === null ? 'null' : typeof given;
    const remedy = isGlobal
      ? 'leave it out with "globalEnhancers"'
      : 'take it from the handler and its class';
    super(
      `The interceptor "${className}" returned ${kind} instead of an Observable: return "next.handle()" if "context.getType()" is "mcp", or ${remedy}`,
      { cause },
    );
  }
}

type Intercept = NestInterceptor['intercept'];

const watched = new WeakMap<NestInterceptor, NestInterceptor>();

/**
 * Has an interceptor named if it returns nothing, which rxjs would not say. A serializer is shown only what is the
 * application's in a result.
 *
 * @param isGlobal tells whether an interceptor is global
 */
export function watchInterceptor(
  interceptor: NestInterceptor,
  isGlobal: (interceptor: object) => boolean,
): NestInterceptor {
  const known = watched.get(interceptor);
  if (known !== undefined) return known;
  const plain: Intercept = (context, next) => interceptor.intercept(context, next);
  const intercept = isSerializer(interceptor) ? shareParts(plain) : plain;
  const assert = (given: unknown) => assertStream(given, interceptor, isGlobal);
  const made: NestInterceptor = {
    intercept: (context, next) => {
      const given: unknown = intercept(context, next);
      return isPromiseLike(given) ? Promise.resolve(given).then(assert) : assert(given);
    },
  };
  watched.set(interceptor, made);
  return made;
}

function assertStream(
  given: unknown,
  interceptor: NestInterceptor,
  isGlobal: (interceptor: object) => boolean,
): Observable<unknown> {
  try {
    return from(given as Observable<unknown>);
  } catch (cause) {
    throw new InterceptorError(interceptor.constructor.name, {
      given,
      isGlobal: isGlobal(interceptor),
      cause,
    });
  }
}

/** Has a serializer see parts of results. What it makes of them is put back in the order in which it was given. */
function shareParts(intercept: Intercept): Intercept {
  return async (context, next) => {
    const parts: SerializedPart[] = [];
    const handle = (): Observable<unknown> =>
      next.handle().pipe(
        map((result: unknown) => {
          const part = findSerializedPart(result, findMethod(context)) ?? keepWhole(result);
          parts.push(part);
          return part.value;
        }),
      );
    const serialized: unknown = await intercept(context, { handle } satisfies CallHandler);
    if (serialized === undefined || serialized === null) return serialized as never;
    return from(serialized as Observable<unknown>).pipe(
      map((value) => {
        const part = parts.shift();
        return part === undefined ? value : part.complete(value);
      }),
    );
  };
}

function keepWhole(result: unknown): SerializedPart {
  return { value: undefined, complete: () => result };
}

function findMethod(context: ExecutionContext): string {
  return context instanceof HandlerExecutionContext ? context.call.context.method : '';
}
