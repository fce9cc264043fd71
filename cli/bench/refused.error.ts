/** Thrown if a server rejects every request. Its status determines the explanation. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';

  constructor(readonly status: number) {
    super(`The server responded with status ${status}`);
  }
}
