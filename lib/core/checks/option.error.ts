/** An option is wrong. Each module throws its own class instead. */
export class OptionError extends Error {
  override readonly name = 'OptionError';

  constructor(
    /** The option, for example `sessions.idleTimeoutMs`. */
    readonly option: string,
    readonly expected: string,
  ) {
    super(`"${option}" ${expected}`);
  }
}
