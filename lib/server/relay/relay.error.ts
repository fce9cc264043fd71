/** The facts of other processes were out of reach. */
export class RelayError extends Error {
  override readonly name = 'RelayError';

  constructor(
    /** `unreachable`: no such process lives; `timeout`: it did not answer; `failed`: it answered that it failed; `gone`: it is no longer in the log. */
    readonly reason: 'unreachable' | 'timeout' | 'failed' | 'gone',
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}
