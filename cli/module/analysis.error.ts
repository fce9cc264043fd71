/** Thrown if an application cannot be created, or does not start. The command line was valid, so its usage is not printed. */
export class AnalysisError extends Error {
  override readonly name = 'AnalysisError';

  /** @param printed what the application printed until then */
  constructor(failure: string, printed: readonly string[] = []) {
    const lines = printed.map((line) => `  | ${line}\n`).join('');
    super(
      `${lines}The application could not be examined: ${failure}\nMake sure that the application starts here, with the environment variables and services that it needs`,
    );
  }
}
