/** Details of an {@link ApplicationError}, in addition to its message. */
export interface ApplicationErrorOptions extends ErrorOptions {
  /** The code to write by hand. @default none */
  readonly byHand?: string;
}

/** Thrown if an application cannot be changed automatically. Reports why, and what to write by hand. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';

  /** The code to write by hand; empty if there is none. */
  readonly byHand: string;

  constructor(message: string, { byHand = '', ...options }: ApplicationErrorOptions = {}) {
    super(message, options);
    this.byHand = byHand;
  }
}
