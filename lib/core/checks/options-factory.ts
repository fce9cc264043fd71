import type { OptionErrorClass } from './asserting.js';

/** A factory of options, and what errors call it. */
export interface NamedFactory {
  /** The option that has the factory, such as `useFactory`. */
  readonly option: string;
  /** What the factory is for, such as `of the server "desk"`; empty if the option says it. */
  readonly subject: string;
  /** What it should return, as an example. */
  readonly example: string;
}

type Factory = (...args: never[]) => unknown;

/**
 * Creates a factory that says which one it is if it fails, or returns nothing. A stack shows where it failed.
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

/** Nest logs the stack of an error and no cause, so the frames of what failed stand in it. */
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
