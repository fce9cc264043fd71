/** Returns whether a value is a promise, including promises of other libraries and Node contexts, which are not instances of `Promise`. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
