/** Thrown if an application cannot be made, or does not start. The command was called rightly: its usage would not help. */
export class AnalysisError extends Error {
  override readonly name = 'AnalysisError';

  /** @param printed what the application printed until then */
  constructor(failure: string, printed: readonly string[] = []) {
    const lines = printed.map((line) => `  | ${line}\n`).join('');
    super(
      `${lines}The application was not examined: ${failure}\nSee to it that the application starts here, with the variables and services that it needs`,
    );
  }
}
