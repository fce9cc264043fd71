import 'reflect-metadata';
import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { EventSourceOptions } from '../settings/extensions/event-source-options.js';
import { EVENT_SOURCE_METADATA } from '../settings/mcp.constants.js';
import { getDecoratedMethod, type DecoratedPlace } from './get-decorated-method.js';

/**
 * Makes a provider's method a source of events. Events are experimental: the server serves them if the option `events` is set.
 *
 * The method is called once, without arguments, and returns an Observable of plain objects. All listeners share its
 * events, and `filter` decides who gets which.
 *
 * @throws {TypeError} if it is on anything except an instance method
 * @example
 * class Incidents { @EventSource({ name: 'incident.created', payloadSchema: z.object({ id: z.string() }) })
 *   created(): Observable<{ id: string }> {
 *     return this.pager.incidents$;
 *   }
 * }
 */
export function EventSource<Payload extends object = OpenObject>(
  options: EventSourceOptions<Payload> = {},
): MethodDecorator {
  return (...place: DecoratedPlace) => {
    const method = getDecoratedMethod('@EventSource()', ...place);
    Reflect.defineMetadata(EVENT_SOURCE_METADATA, options, method);
  };
}
