/** An option of a command, for the parser, `--help` and the documentation. */
export interface OptionDeclaration {
  readonly type: 'string' | 'boolean';
  /** Whether it can be repeated. @default false */
  readonly multiple?: boolean;
  readonly default?: string | boolean;
  /** The form of its value, such as `<ms>`. @default the option is a flag */
  readonly value?: string;
  /** Its effect, without a final period. */
  readonly summary: string;
  /** The default as shown in the help. @default the default if it is a string */
  readonly fallback?: string;
}

/** A command's options, keyed by name. */
export type OptionDeclarations = Readonly<Record<string, OptionDeclaration>>;

/** Declares an option with a value. */
export function valueOption(value: string, summary: string, fallback?: string) {
  return { type: 'string', value, summary, ...(fallback !== undefined && { fallback }) } as const;
}

/** Declares an option with a value that can be repeated. */
export function listOption(value: string, summary: string, fallback?: string) {
  return { ...valueOption(value, summary, fallback), multiple: true } as const;
}

/** Declares an option without a value. */
export function flagOption(summary: string) {
  return { type: 'boolean', summary } as const;
}

/** The help of a command. */
export interface Help {
  /** Each way to run the command, without the program name. */
  readonly usage: readonly string[];
  readonly description: string;
  /** Arguments that need an explanation. @default none */
  readonly operands?: Readonly<Record<string, string>>;
  /** The command's own options. */
  readonly options: OptionDeclarations;
  /** Whether it also accepts the options that `help connection` lists. @default false */
  readonly acceptsConnection?: boolean;
  /** The meaning of each exit code. */
  readonly exitCodes: ExitCodes;
}

/** The meanings of exit codes. */
export type ExitCodes = Readonly<Record<string, string>>;

/** A row of a list: a term and its meaning. */
type Row = readonly [term: string, text: string];

const PROGRAM = 'nestjs-mcp-cli';

const COLUMNS = 80;

/** The meaning of a longer term starts on the next line. */
const LONGEST_TERM = 30;

/** The reference to the options that most commands share. */
export const CONNECTION_HELP = `Connection options, such as --token-env, --header, --client-id and --timeout: run "${PROGRAM} help connection".`;

/** Formats the help of a command. */
export function formatHelp(help: Help): string {
  const { usage, description, operands = {}, options, acceptsConnection = false, exitCodes } = help;
  return [
    usage.map((line, index) => `${index === 0 ? 'Usage: ' : '       '}${PROGRAM} ${line}`).join('\n'),
    description,
    formatRows('Arguments:', Object.entries(operands)),
    formatOptions('Options:', options),
    ...(acceptsConnection ? [CONNECTION_HELP] : []),
    formatExitCodes(exitCodes),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Formats a titled list of options. */
export function formatOptions(title: string, options: OptionDeclarations): string {
  return formatRows(title, listOptionRows(options));
}

/** Formats the list of exit codes at the end of the help. */
export function formatExitCodes(exitCodes: ExitCodes): string {
  return formatRows('Exit codes:', Object.entries(exitCodes));
}

/** Formats a titled list, with all meanings in one column. */
export function formatRows(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const short = rows.map(([term]) => term.length).filter((length) => length <= LONGEST_TERM);
  const width = Math.max(...short, 0);
  const lines = rows.map(([term, text]) =>
    term.length <= width ? `  ${term.padEnd(width)}  ${text}` : `  ${term}\n${' '.repeat(width + 4)}${text}`,
  );
  return [title, ...lines].join('\n');
}

/** Formats an option as the user types it, with the form of its value. */
export function formatOption(name: string, { value }: OptionDeclaration): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Returns the default of an option, or `undefined` if it is obvious. */
export function findFallback({ fallback, default: value }: OptionDeclaration): string | undefined {
  return fallback ?? (typeof value === 'string' ? value : undefined);
}

function listOptionRows(options: OptionDeclarations): readonly Row[] {
  return Object.entries(options).map(([name, option]) => {
    const fallback = findFallback(option);
    const notes = [
      ...(option.multiple === true ? ['repeatable'] : []),
      ...(fallback === undefined ? [] : [`default: ${fallback}`]),
    ];
    const text = notes.length === 0 ? option.summary : `${option.summary} (${notes.join('; ')})`;
    return [formatOption(name, option), text];
  });
}

/** Wraps the help at 80 columns. An entry's further lines are aligned with its meaning. */
export function wrapHelp(text: string): string {
  return text.split('\n').flatMap(wrapLine).join('\n');
}

function wrapLine(line: string): readonly string[] {
  if (line.length <= COLUMNS) return [line];
  const indent = ' '.repeat(measureIndent(line));
  const lines: string[] = [];
  let current = line.slice(0, indent.length);
  for (const word of line.slice(indent.length).split(' ')) {
    const isFirst = current.length === indent.length;
    if (!isFirst && current.length + 1 + word.length > COLUMNS) {
      lines.push(current);
      current = indent + word;
    } else current += isFirst ? word : ` ${word}`;
  }
  return [...lines, current];
}

/**
 * Returns the column at which a line's content starts: after "Usage:", after the term of a list, or after the
 * indentation.
 */
function measureIndent(line: string): number {
  const [lead = ''] = /^(?:Usage: | {7}(?=nestjs)| {2}\S.*? {2,}(?=\S)| *)/.exec(line) ?? [];
  return lead.length;
}
