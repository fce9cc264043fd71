import type { OptionErrorClass } from './option-checks.js';

/** An options factory, and its name in errors. */
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
 * @param ModuleError the error class of the module that has the factory
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

/** The source of a module's options, as `forRootAsync()` receives it. */
export interface OptionsSource {
  readonly useFactory?: unknown;
  readonly useClass?: unknown;
  readonly useExisting?: unknown;
}

/** How errors name the source of a module's options. */
export interface NamedSource extends Omit<NamedFactory, 'option'> {
  readonly source: OptionsSource;
}

/** Wraps the factory among a module's providers that provides its options, so that its errors name it. */
export function nameProvidedFactory<Provided>(
  providers: readonly Provided[],
  token: unknown,
  { source: { useFactory, useClass, useExisting }, subject, example }: NamedSource,
  ModuleError: OptionErrorClass,
): Provided[] {
  const made = useExisting ?? useClass;
  const name = typeof made === 'function' ? made.name : 'a class';
  const option = useExisting === undefined ? 'useClass' : 'useExisting';
  const named: NamedFactory =
    useFactory === undefined
      ? { option, subject: `${subject}(${name}) `, example }
      : { option: 'useFactory', subject, example };
  return providers.map((provider) => {
    const factory = provider as { readonly provide?: unknown; readonly useFactory?: Factory };
    if (factory.provide !== token || factory.useFactory === undefined) return provider;
    return { ...provider, useFactory: nameFactory(factory.useFactory, named, ModuleError) };
  });
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | undefined | null)?.then === 'function';
}

/** Nest logs an error's stack but not its cause, so the original error's frames are added to the stack. */
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
