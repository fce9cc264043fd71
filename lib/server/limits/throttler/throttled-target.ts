import type { CatalogueEntry } from '../../catalogue/entries.js';

/** The limited handler, as `@nestjs/throttler` sees it: a class and a function that may have its decorators. */
export interface ThrottledTarget {
  readonly classRef: object;
  readonly handler: object;
  /** Tells it from all others, in every process. */
  readonly key: readonly string[];
}

/** Stands for the class of handlers that the application has added while it runs. */
class AddedHandlers {}

/** Stands for the class of methods that no handler serves. */
class ProtocolMethods {}

/** Describes what serves an entry of a kind. */
export function describeEntry(kind: string, { key, origin }: CatalogueEntry): ThrottledTarget {
  const { classRef = AddedHandlers, method = nameFunction(key) } = origin ?? {};
  return { classRef, handler: method, key: [kind, key] };
}

/** Describes a method of the protocol. */
export function describeMethod(method: string): ThrottledTarget {
  return { classRef: ProtocolMethods, handler: nameFunction(method), key: ['method', method] };
}

/** Functions of applications may go by the name of what is limited. */
function nameFunction(name: string): () => void {
  return Object.defineProperty(() => undefined, 'name', { value: name });
}
