import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './usage.error.js';
import { quoteVisible } from './visible-text.js';

type OptionTable = NonNullable<ParseArgsConfig['options']>;

type ParsedArguments<Options extends OptionTable> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>;

/**
 * Splits arguments into options and the rest.
 *
 * @throws {UsageError} where an option is not known, or lacks its value
 */
export function parseArguments<const Options extends OptionTable>(
  args: readonly string[],
  options: Options,
): ParsedArguments<Options> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(explain(cause, args, options), { cause });
  }
}

/** Says why arguments were refused: Node takes several sentences, and shows values, which may be secrets. */
function explain(error: unknown, args: readonly string[], options: OptionTable): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return 'An option lacks its value, or has one too many';
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
