/** Facts of an {@link ApplicationError}, in addition to its sentence. */
export interface ApplicationErrorOptions extends ErrorOptions {
  /** What to write by hand, in lines. @default nothing */
  readonly byHand?: string;
}

/** Thrown if an application cannot be changed by itself: says why, and what to write by hand. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';

  /** What to write by hand, in lines; empty if there is nothing. */
  readonly byHand: string;

  constructor(message: string, { byHand = '', ...options }: ApplicationErrorOptions = {}) {
    super(message, options);
    this.byHand = byHand;
  }
}
