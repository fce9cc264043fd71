/** Is thrown if an application cannot be made, or does not start. The command was called rightly: its usage would not help. */
export class UnexaminedError extends Error {
  override readonly name = 'UnexaminedError';

  constructor(failure: string) {
    super(
      `The application was not examined: ${failure}\nSee to it that the application starts here, with the variables and services that it needs`,
    );
  }
}
