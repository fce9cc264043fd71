import type { OptionErrorClass } from './option-checks.js';

/** A factory of options, and its name in errors. */
export interface NamedFactory {
  /** The option that has the factory, such as `useFactory`. */
  readonly option: string;
  /** The purpose of the factory, such as `of the server "desk"`; empty if the option makes it clear. */
  readonly subject: string;
  /** An example of what it should return. */
  readonly example: string;
}

type Factory = (...args: never[]) => unknown;

/**
 * Wraps a factory so that its error names it if it throws or returns nothing. The stack shows where it failed.
 *
 * @param ModuleError the error of the module that has the factory
 */
export function nameFactory(make: Factory, named: NamedFactory, ModuleError: OptionErrorClass): Factory {
  const fail = (error: unknown): never => {
    throw explainFailure(error, named, ModuleError);
  };
  const take = (made: unknown): unknown => {
    if (typeof made === 'object' && made !== null) return made;
    const { option, subject, example } = named;
    throw new ModuleError(option, `${subject}returned ${String(made)}: return an object such as ${example}`);
  };
  return (...args) => {
    let made: unknown;
    try {
      made = make(...args);
    } catch (error) {
      fail(error);
    }
    return isPromise(made) ? made.then(take, fail) : take(made);
  };
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | undefined | null)?.then === 'function';
}

/** Nest logs an error's stack but not its cause, so the stack gets the frames of the original error. */
function explainFailure(
  error: unknown,
  { option, subject }: NamedFactory,
  ModuleError: OptionErrorClass,
): Error {
  if (error instanceof ModuleError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const explained = new ModuleError(option, `${subject}failed: ${message}`, { cause: error });
  const frames = error instanceof Error ? findFrames(error.stack) : undefined;
  if (frames !== undefined) explained.stack = `${explained.name}: ${explained.message}\n${frames}`;
  return explained;
}

function findFrames(stack: unknown): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line));
  return frames.length === 0 ? undefined : frames.join('\n');
}
