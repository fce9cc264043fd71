import { escapeText } from './escape-text.js';

/** What is known of something that was thrown. */
export interface Described {
  /** What the log has of it, on one line. */
  readonly text: string;
  /** Present for an error alone: what it says, as it says it. */
  readonly message?: string;
  /** What the log has of where it comes from. */
  readonly stack?: string | undefined;
}

/** Describes what was thrown. Anything can be thrown, also what throws again when it is looked at. */
export function describeFailure(failure: unknown): Described {
  try {
    if (!(failure instanceof Error)) return { text: escapeText(String(failure)) };
    const { message, stack } = failure;
    return { text: escapeText(message), message, stack: stack && escapeMessage(stack, message) };
  } catch {
    return { text: 'something was thrown that cannot be shown' };
  }
}

/** A stack begins with the message, and a message may quote what a client sent. */
function escapeMessage(stack: string, message: string): string {
  if (message === '' || !stack.includes(message)) return stack;
  return stack.replace(message, () => escapeText(message));
}
