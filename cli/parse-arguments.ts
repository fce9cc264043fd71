import { parseArgs, type ParseArgsConfig } from 'node:util';
import { findClosestName } from '../lib/core/checks/find-closest-name.js';
import { UsageError } from './usage.error.js';
import { quoteVisible } from './visible-text.js';

type OptionTable = NonNullable<ParseArgsConfig['options']>;

type ParsedArguments<Options extends OptionTable> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>;

/**
 * Splits arguments into options and the rest.
 *
 * @throws {UsageError} if an option is not known, lacks its value, or has one too many
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

/** Says why arguments were refused: Node takes several sentences, and shows values, which may be secrets. */
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
  if (excessive !== undefined) return `The option "${excessive.rawName}" takes no value`;
  return 'An option is not as it must be';
}

function explainUnknown({ name, rawName }: OptionToken, options: OptionTable): string {
  const closest = findClosestName(name, [...Object.keys(options), 'help']);
  const hint = closest === undefined ? '' : `: did you mean "--${closest}"?`;
  return `The option ${quoteVisible(rawName)} is not known${hint}`;
}

/** What looks like another option may be meant as one, unless it has a single dash. */
function explainLacking({ rawName, value }: OptionToken): string {
  const isMeant = value !== undefined && !value.startsWith('--');
  const hint = isMeant ? ': join one that begins with "-" by "="' : '';
  return `The option "${rawName}" lacks its value${hint}`;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** What begins with a dash is taken for an option, unless it is joined by "=". */
function hasValue({ value, inlineValue }: Pick<OptionToken, 'value' | 'inlineValue'>): boolean {
  return value !== undefined && (inlineValue === true || !/^-./.test(value));
}
