/** Milliseconds after which a server wants to be asked again, by what failed because it was busy. */
const RESTS = new WeakMap<object, number>();

/** Creates what is thrown if a server says by its status that it is busy. */
export function createBusyError(status: number, cause?: unknown): Error {
  return Object.assign(new Error(`The server answered with status ${status}`, { cause }), { status });
}

/** Takes note for how long a server wants to be left alone after a failure, and gives that. */
export function noteRest<Thrown>(error: Thrown, restMs: number): Thrown {
  if (typeof error === 'object' && error !== null) RESTS.set(error, restMs);
  return error;
}

/** Gives for how many milliseconds a server wants to be left alone after a failure. Returns `undefined` if it did not say. */
export function findRest(error: unknown): number | undefined {
  return typeof error === 'object' && error !== null ? RESTS.get(error) : undefined;
}
