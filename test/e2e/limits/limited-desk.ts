import { Injectable, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import { Complete, McpExecutionContext, Prompt, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import type { Answer } from '../../support/clients/call.js';
import type { JsonObject } from '../../support/clients/message.js';

/** Far longer than a test takes. */
export const MINUTE_MS = 60_000;

/** What was reached behind a limit, by the methods of the requests. */
export const reached = { guards: 0, handlers: 0 };

@Injectable()
class CountingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (McpExecutionContext.create(context).getContext().method !== '') reached.guards += 1;
    return true;
  }
}

/** Handlers of each kind that may be asked once a minute, and some that may be asked at any time. */
@Injectable()
export class LimitedHandlers {
  @Tool()
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  @UseGuards(CountingGuard)
  once() {
    reached.handlers += 1;
    return 'once';
  }

  @Tool()
  free() {
    return 'free';
  }

  @Resource({ uri: 'desk://once' })
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  resource() {
    return 'read';
  }

  @ResourceTemplate({ uriTemplate: 'desk://once/{id}' })
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  template() {
    return 'read';
  }

  @Prompt({ arguments: [{ name: 'who' }] })
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  prompt() {
    return 'asked';
  }

  @Complete({ prompt: 'prompt', argument: 'who' })
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  complete() {
    return ['ada'];
  }
}

/** A class of which each handler may be called once a minute, except one. */
@Injectable()
@Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
export class LimitedClass {
  @Tool()
  one() {
    return 'one';
  }

  @Tool()
  other() {
    return 'other';
  }

  @Tool()
  @SkipThrottle()
  skipped() {
    return 'skipped';
  }
}

/** A request for each kind of handler, with one more that asks the same. */
export const REQUESTS: readonly (readonly [method: string, params: JsonObject, again?: JsonObject])[] = [
  ['tools/call', { name: 'once', arguments: {} }],
  ['resources/read', { uri: 'desk://once' }],
  ['resources/read', { uri: 'desk://once/1' }, { uri: 'desk://once/2' }],
  ['prompts/get', { name: 'prompt', arguments: { who: 'ada' } }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'who', value: '' } },
  ],
];

/** Gives after how many milliseconds a refused request may be made again. */
export function retryAfterOf({ error }: Answer): number {
  const data = (error?.data ?? {}) as { readonly retryAfterMs?: number };
  return Number(data.retryAfterMs);
}
