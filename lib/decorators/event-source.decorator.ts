import 'reflect-metadata';
import type { OpenObject } from '../protocol/capabilities.js';
import type { EventSourceOptions } from '../settings/event-source-options.interface.js';
import { EVENT_SOURCE_METADATA } from '../settings/mcp.constants.js';

/**
 * Makes a provider's method a source of events; experimental, and served where the option `events` is set.
 *
 * The method is called once, without arguments, and returns an Observable of plain objects. Whoever listens gets the same
 * events; `filter` tells who gets which.
 *
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
  return (_prototype, _name, { value: method }: PropertyDescriptor) => {
    Reflect.defineMetadata(EVENT_SOURCE_METADATA, options, method);
  };
}
