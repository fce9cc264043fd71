import { ToolError } from '../context/tool-errors.js';

/** Rounds of one call: no client stops asking by itself. */
export const MOST_ROUNDS = 32;

/** Is thrown if a call is still not complete after as many rounds of questions as it may have. */
export class RoundLimitError extends ToolError {
  /** @param reason what was wrong with the last answer, if anything was */
  constructor(reason?: string) {
    const limit = `The call needs more input after ${MOST_ROUNDS} rounds of questions, which is the limit`;
    super(reason === undefined ? limit : `${limit}. ${reason}`);
  }
}
