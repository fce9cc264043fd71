/** What an error of `init` carries besides its sentence. */
export interface InitErrorOptions extends ErrorOptions {
  /** What to write by hand, in lines. @default nothing */
  readonly byHand?: string;
}

/** Is thrown where an application cannot be changed by itself: says why, and what to write by hand. */
export class InitError extends Error {
  override readonly name = 'InitError';

  /** What to write by hand, in lines; empty where there is nothing. */
  readonly byHand: string;

  constructor(message: string, { byHand = '', ...options }: InitErrorOptions = {}) {
    super(message, options);
    this.byHand = byHand;
  }
}
