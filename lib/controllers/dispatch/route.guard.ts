import { NotFoundException, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { OWN_ENHANCER } from '../../server/settings/mcp.constants.js';

/** The controller method that a request is meant for. */
export interface Target {
  readonly controller: Type;
  readonly handler: (...parameters: never[]) => unknown;
}

/** A request that is meant for one route. */
class TargetedRequest {
  isReached = false;

  constructor(readonly target: Target) {}
}

interface AdapterRequest {
  readonly raw?: object;
  readonly method?: string;
  readonly url?: string;
}

/**
 * Rejects tool requests that reach a different route. With the value `me`, the path of `GET /cats/:id` matches `GET
 * /cats/me`, which may not be a tool. It is the application's first guard, so no part of the other route runs.
 */
export class RouteGuard implements CanActivate {
  /** It is not one of the application's own guards. */
  readonly [OWN_ENHANCER] = true;
  readonly #meant = new WeakMap<object, TargetedRequest>();

  /** Restricts a request to one route. */
  expect(request: object, target: Target): void {
    this.#meant.set(request, new TargetedRequest(target));
  }

  /** Returns whether a request has reached its route. */
  hasReached(request: object): boolean {
    return this.#meant.get(request)?.isReached === true;
  }

  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true;
    const request = context.getArgByIndex<AdapterRequest>(0);
    const meant = this.#meant.get(request.raw ?? request);
    if (meant === undefined) return true;
    const { controller, handler } = meant.target;
    if (context.getClass() !== controller || context.getHandler() !== handler) {
      throw new NotFoundException(`Cannot ${request.method} ${request.url}`);
    }
    meant.isReached = true;
    return true;
  }
}
