import type { HandlerKind } from '../../decorators/handler-metadata.js';

/** The kinds whose handlers may give a stream. */
const WITH_STREAMS: ReadonlySet<HandlerKind> = new Set(['resource', 'resourceTemplate', 'app']);

/**
 * Says that a handler is a generator function, whose result cannot be sent. Returns `undefined` if it is none, and for a
 * resource that gives a stream this way.
 *
 * @param subject names the handler
 */
export function findGeneratorMisfit(
  { kind, handler }: { readonly kind: HandlerKind; readonly handler: unknown },
  subject: string,
): string | undefined {
  const tag = Object.prototype.toString.call(handler);
  const isStream = tag === '[object AsyncGeneratorFunction]';
  const isGenerator = isStream || tag === '[object GeneratorFunction]';
  if (!isGenerator || (isStream && WITH_STREAMS.has(kind))) return undefined;
  return `${subject} is a generator function, whose result cannot be sent: collect the values in an array, and return that`;
}
