/** Tells whether a value is a promise. Those of other libraries, and of other contexts of Node, are no instances of ours. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
