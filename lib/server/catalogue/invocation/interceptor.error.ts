interface Fault {
  /** What it returned. */
  readonly given: unknown;
  readonly isGlobal: boolean;
  readonly cause: unknown;
}

/** Is thrown if an interceptor returns no Observable, as one does that knows no calls of the type `mcp`. */
export class InterceptorError extends Error {
  override readonly name = 'InterceptorError';

  constructor(className: string, { given, isGlobal, cause }: Fault) {
    const kind = given === null ? 'null' : typeof given;
    const remedy = isGlobal
      ? 'leave it out with "globalEnhancers"'
      : 'take it from the handler and its class';
    super(
      `The interceptor "${className}" returned ${kind} instead of an Observable: return "next.handle()" if "context.getType()" is "mcp", or ${remedy}`,
      { cause },
    );
  }
}
