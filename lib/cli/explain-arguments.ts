import { parseArgs, type ParseArgsConfig } from 'node:util';
import { quoteVisible } from './visible-text.js';

/** Arguments that Node refused. */
export interface RefusedArguments {
  readonly args: readonly string[];
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** What is said where the fault is another one than an option that is not known. */
  readonly otherwise: string;
}

/** Says why arguments were refused: Node takes several sentences, and shows values, which may be secrets. */
export function explainArguments(error: unknown, { args, options, otherwise }: RefusedArguments): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return otherwise;
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name));
  if (unknown?.kind !== 'option') return 'There is an option that is not known';
  return `The option ${quoteVisible(unknown.rawName)} is not known`;
}
