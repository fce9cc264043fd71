/** An option of a command: what the parser needs, and what `--help` and the documentation say about it. */
export interface OptionDeclaration {
  readonly type: 'string' | 'boolean';
  /** Whether it can be repeated. @default false */
  readonly multiple?: boolean;
  readonly default?: string | boolean;
  /** The form of its value, such as `<ms>`. @default the option is a flag */
  readonly value?: string;
  /** What it does or sets, without a final stop. */
  readonly summary: string;
  /** What applies without it, as the help shows it. @default the default if that is a string */
  readonly fallback?: string;
}

/** The options of a command, by name. */
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

/** What `--help` shows for a command. */
export interface Help {
  /** Each way to run the command, without the name of the program. */
  readonly usage: readonly string[];
  readonly description: string;
  /** Arguments that need an explanation. @default none */
  readonly operands?: Readonly<Record<string, string>>;
  /** The command's own options. */
  readonly options: OptionDeclarations;
  /** Whether it also accepts the options that `help connection` lists. @default false */
  readonly acceptsConnection?: boolean;
  /** What each exit code means. */
  readonly exitCodes: ExitCodes;
}

/** What exit codes mean. */
export type ExitCodes = Readonly<Record<string, string>>;

/** A row of a list: a term, and what it means. */
type Row = readonly [term: string, text: string];

const PROGRAM = 'nestjs-mcp-cli';

const COLUMNS = 80;

/** The text of a longer term begins on the next line. */
const LONGEST_TERM = 30;

/** Where to read about the options that most commands share. */
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

/** Formats the list of exit codes at the end of a help text. */
export function formatExitCodes(exitCodes: ExitCodes): string {
  return formatRows('Exit codes:', Object.entries(exitCodes));
}

/** Formats a titled list. The texts begin in one column. */
export function formatRows(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const short = rows.map(([term]) => term.length).filter((length) => length <= LONGEST_TERM);
  const width = Math.max(...short, 0);
  const lines = rows.map(([term, text]) =>
    term.length <= width ? `  ${term.padEnd(width)}  ${text}` : `  ${term}\n${' '.repeat(width + 4)}${text}`,
  );
  return [title, ...lines].join('\n');
}

/** Writes an option as it is typed, with the form of its value. */
export function formatOption(name: string, { value }: OptionDeclaration): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** Returns what applies if an option is not given, or `undefined` if that goes without saying. */
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

/** Wraps a help text at 80 columns; the rest of an entry is indented as far as its text. */
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

/** Returns the column at which the text of a line begins: behind "Usage:", behind the term of a list, or behind the indentation. */
function measureIndent(line: string): number {
  const [lead = ''] = /^(?:Usage: | {7}(?=nestjs)| {2}\S.*? {2,}(?=\S)| *)/.exec(line) ?? [];
  return lead.length;
}
