/** An option is wrong. Each module throws a class of its own in its place. */
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
