import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { InterceptorsContextCreator } from '@nestjs/core/interceptors/interceptors-context-creator.js';
import { isPromiseLike } from '../../../../core/waiting/is-promise-like.js';

/**
 * Creates interceptors that say their name if they return nothing, as those do that branch by the types of context and do not
 * know ours. RxJS would fail later, and name neither the interceptor nor the handler.
 */
export class CheckedInterceptorsCreator extends InterceptorsContextCreator {
  override create(...given: Parameters<InterceptorsContextCreator['create']>): NestInterceptor[] {
    return super.create(...given).map(checkResult);
  }
}

function checkResult(interceptor: NestInterceptor): NestInterceptor {
  return {
    intercept(context: ExecutionContext, next: CallHandler) {
      const result = interceptor.intercept(context, next);
      const assert = <Result>(settled: Result) => assertReturned(settled, interceptor, context);
      return isPromiseLike(result) ? Promise.resolve(result).then(assert) : assert(result);
    },
  };
}

function assertReturned<Result>(
  result: Result,
  interceptor: NestInterceptor,
  context: ExecutionContext,
): Result {
  if (result !== undefined && result !== null) return result;
  const { name } = interceptor.constructor;
  throw new TypeError(
    `The interceptor "${name}" returned nothing for the context type "${context.getType<string>()}" of "${context.getClass().name}.${context.getHandler().name}": return "next.handle()" for every type that it does not know`,
  );
}
