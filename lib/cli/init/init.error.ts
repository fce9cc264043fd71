/** Is thrown where an application cannot be changed by itself: says why, and what to write by hand. */
export class InitError extends Error {
  override readonly name = 'InitError';

  constructor(
    message: string,
    /** What to write by hand, in lines. @default nothing */
    readonly byHand: string = '',
  ) {
    super(message);
  }
}
