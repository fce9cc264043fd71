/** Another process could not be reached, or did not answer. */
export class RelayError extends Error {
  override readonly name = 'RelayError';

  constructor(
    /** `unreachable`: no such process lives; `timeout`: it may; `failed`: it answered that it failed. */
    readonly reason: 'unreachable' | 'timeout' | 'failed',
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}
