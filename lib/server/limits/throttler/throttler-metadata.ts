/** The prefixes of the metadata keys of `@nestjs/throttler`. The name of a throttler follows. */
const LIMIT = 'THROTTLER:LIMIT';
const SKIP = 'THROTTLER:SKIP';

/** What decorators stand on: a method, or its class. */
type Decorated = readonly object[];

/** Finds the throttlers that `@Throttle()` names. */
export function findThrottled(decorated: Decorated): readonly string[] {
  return findNames(decorated, LIMIT);
}

/** Finds the throttlers that `@SkipThrottle()` names, whether it has them skipped or not. */
export function findSkipped(decorated: Decorated): readonly string[] {
  return findNames(decorated, SKIP);
}

/** Subclasses have what their parents say. */
function findNames(decorated: Decorated, prefix: string): readonly string[] {
  return decorated
    .flatMap((owner) => Reflect.getMetadataKeys(owner) as readonly unknown[])
    .filter((key) => typeof key === 'string' && key.startsWith(prefix))
    .map((key) => String(key).slice(prefix.length));
}
