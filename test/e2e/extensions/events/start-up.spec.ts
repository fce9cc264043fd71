import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Scope, UseGuards, type CanActivate, type Type } from '@nestjs/common';
import { Concurrency, EventSource, McpModule, Public, RequireScope, type McpOptions } from 'nestjs-mcp';
import { Throttle } from '@nestjs/throttler';
import { concat, NEVER, of, type Observable } from 'rxjs';
import { bootFailure } from '../../../support/applications/boot-failure.js';
import { bootApp, type RunningApp } from '../../../support/applications/boot.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';

const serverInfo = { name: 'desk', version: '1.0.0' };

class Nobody implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Twice {
  @EventSource({ name: 'same' })
  one(): Observable<object> {
    return NEVER;
  }

  @EventSource({ name: 'same' })
  other(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class Guarded {
  @EventSource()
  @UseGuards(Nobody)
  secrets(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
@UseGuards(Nobody)
class GuardedAltogether {
  @EventSource()
  secrets(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class Throttled {
  @EventSource()
  @Throttle({ default: { limit: 1, ttl: 60_000 } })
  secrets(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
@Throttle({ default: { limit: 1, ttl: 60_000 } })
class ThrottledAltogether {
  @EventSource()
  secrets(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class Bounded {
  @EventSource()
  @Concurrency({ max: 1 })
  secrets(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
@Concurrency({ max: 1 })
class BoundedAltogether {
  @EventSource()
  secrets(): Observable<object> {
    return NEVER;
  }
}

@Injectable({ scope: Scope.REQUEST })
class OfRequests {
  @EventSource()
  secrets(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class Promising {
  @EventSource()
  later(): Promise<object> {
    return Promise.resolve({});
  }
}

@Injectable()
class Nameless {
  @EventSource({ name: '' })
  nothing(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class Shapeless {
  @EventSource({ payloadSchema: { type: 'string' } })
  words(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class Contradictory {
  @EventSource()
  @Public()
  @RequireScope('desk:read')
  both(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class Throwing {
  @EventSource()
  broken(): Observable<object> {
    throw new Error('no connection');
  }
}

@Injectable()
class Scoped {
  @EventSource()
  @RequireScope('desk:read')
  secrets(): Observable<object> {
    return NEVER;
  }
}

/** Is at work in two servers. */
@Injectable()
class Weather {
  @EventSource()
  changed(): Observable<object> {
    return concat(of({ text: 'rain' }), NEVER);
  }
}

function configure(provider: Type, options: Partial<McpOptions> = { events: true }) {
  return { imports: [McpModule.forRoot({ serverInfo, ...options })], providers: [provider] };
}

describe('An application with event sources', () => {
  const running: RunningApp[] = [];

  afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

  it.each([
    ['two sources of one name', Twice, 'the event "same" is already used by @EventSource() on "Twice.one"'],
    ['a guard that would not run', Guarded, 'guards do not run for events'],
    ['a guard on the class', GuardedAltogether, 'guards do not run for events'],
    ['@Throttle()', Throttled, '@Throttle() does not limit events: remove it'],
    ['@Throttle() on the class', ThrottledAltogether, '@Throttle() does not limit events: remove it'],
    ['@Concurrency()', Bounded, '@Concurrency() does not limit events: remove it'],
    ['@Concurrency() on the class', BoundedAltogether, '@Concurrency() does not limit events: remove it'],
    ['a source of a request', OfRequests, '"OfRequests" is not a singleton'],
    ['no Observable', Promising, 'the method must return an Observable'],
    ['an empty name', Nameless, '"name" must be a non-empty string'],
    ['a schema of no object', Shapeless, '"payloadSchema" must describe an object'],
    ['access that contradicts itself', Contradictory, 'It cannot be public and require scopes'],
    ['a source that throws', Throwing, 'no connection'],
  ])('does not start with %s, and says where it is (EVT-01) (MOD-11)', async (_case, provider, text) => {
    const { message } = await bootFailure(configure(provider));
    expect(message).toContain(text);
    expect(message).toContain(`@EventSource() on "${provider.name}.`);
  });

  it.each([
    [{ events: 'yes' }, '"events"'],
    [{ events: { logSize: 0 } }, '"events.logSize"'],
    [{ events: { logsize: 1 } }, '"events.logsize"'],
    [{ events: { webhooks: { attempts: 0 } } }, '"events.webhooks.attempts"'],
  ])('does not start with the option %j (EVT-01) (MOD-11)', async (options, name) => {
    const { message } = await bootFailure(configure(Weather, options as Partial<McpOptions>));
    expect(message).toContain(name);
  });

  it('does not start open with a source that requires a scope: nobody could have it (EVT-01) (STEP-06)', async () => {
    const { message } = await bootFailure(configure(Scoped));
    expect(message).toContain('require "desk:read", but callers without tokens have no scopes');
  });

  it('is told where its sources are seen by nobody, and has none of the methods (EVT-01)', async () => {
    const log = new RecordedLog();
    const app = await bootApp({ ...configure(Weather, {}), nest: { logger: log } });
    running.push(app);
    const session = await initialize(app.url);
    expect(session.result['capabilities']).not.toHaveProperty('experimental');
    expect((await session.request('events/list')).error).toMatchObject({ code: -32601 });
    expect(log.text).toContain('No client sees @EventSource() on "Weather.changed": set the option "events"');
  });

  it('may have several servers, each with its own sources (EVT-01)', async () => {
    const app = await bootApp({
      imports: [
        McpModule.forRoot({ serverInfo, server: 'admin', mcpPath: '/admin', events: true }),
        McpModule.forRoot({ serverInfo, events: true, isDefault: true }),
        McpModule.forFeature({ server: 'admin', providers: [Weather] }),
      ],
      providers: [Weather],
    });
    running.push(app);
    const list = async (path: string) => {
      const { events } = await perRequest(`${app.origin}${path}`).start('events/list').result();
      return (events as { name: string }[]).map(({ name }) => name);
    };
    expect(await list('/admin')).toEqual(['changed']);
    expect(await list('/mcp')).toEqual([]);
  });
});
