import { parseArgs, type ParseArgsConfig } from 'node:util';
import { findClosestName } from '../lib/core/checks/suggest-names.js';
import { UsageError } from './usage.error.js';
import { quoteVisible } from './visible-text.js';

type OptionTable = NonNullable<ParseArgsConfig['options']>;

type ParsedArguments<Options extends OptionTable> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>;

/**
 * Splits arguments into options and positional arguments.
 *
 * @throws {UsageError} if an option is unknown, lacks its value, or has a value that it does not accept
 */
export function parseArguments<const Options extends OptionTable>(
  args: readonly string[],
  options: Options,
): ParsedArguments<Options> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw new UsageError(explain(args, options), { cause });
  }
}

/**
 * Explains why arguments are invalid. Node's messages span several sentences and show values, which may be secrets.
 */
function explain(args: readonly string[], options: OptionTable): string {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === 'option');
  const unknown = given.find(({ name }) => !Object.hasOwn(options, name));
  if (unknown !== undefined) return explainUnknown(unknown, options);
  const lacking = given.find((token) => options[token.name]?.type === 'string' && !hasValue(token));
  if (lacking !== undefined) return explainLacking(lacking);
  const excessive = given.find(({ name, value }) => options[name]?.type === 'boolean' && value !== undefined);
  if (excessive !== undefined) return `The option "${excessive.rawName}" does not accept a value`;
  return 'An option is invalid';
}

function explainUnknown({ name, rawName }: OptionToken, options: OptionTable): string {
  const known = [...Object.keys(options), 'help'];
  const closest = findClosestName(name, known) ?? findLongerName(name, known);
  const hint = closest === undefined ? '' : `: did you mean "--${closest}"?`;
  return `Unknown option ${quoteVisible(rawName)}${hint}`;
}

/** Finds the only option whose name contains all words of another one, such as "max-wait" for "wait". */
function findLongerName(name: string, known: readonly string[]): string | undefined {
  const words = name.split('-');
  const found = known.filter((one) => words.every((word) => one.split('-').includes(word)));
  return found.length === 1 ? found[0] : undefined;
}

/** An argument with two dashes was probably meant as the next option, an argument with a single dash as the value. */
function explainLacking({ rawName, value }: OptionToken): string {
  const isMeant = value !== undefined && !value.startsWith('--');
  const hint = isMeant ? ': pass a value that begins with "-" as --option=value' : '';
  return `The option "${rawName}" requires a value${hint}`;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** Node treats an argument that begins with a dash as an option, unless it is part of `--option=value`. */
function hasValue({ value, inlineValue }: Pick<OptionToken, 'value' | 'inlineValue'>): boolean {
  return value !== undefined && (inlineValue === true || !/^-./.test(value));
}
