import { type Aliases, assertProperties, type Check, type Checks, either, flag } from './option-checks.js';

/** Properties that an interface requires. */
type RequiredName<Options> = {
  [Name in keyof Options]-?: object extends Pick<Options, Name> ? never : Name;
}[keyof Options];

type Callable = (...args: never[]) => unknown;

/** Derives a default from the rows above it, and from the context. */
type Derive<Value, Above, Context> = (above: Above, context: Context) => Value;

/** A default. Functions are called to get it, so a function cannot itself be a default. */
type Default<Value, Above, Context> = [Extract<Value, Callable>] extends [never]
  ? Value | Derive<Value, Above, Context>
  : Derive<Value, Above, Context>;

/** Options with all defaults applied. The `Open` ones have no default and stay absent unless set. */
export type Settings<Options extends object, Open extends keyof Options = never> = {
  readonly [Name in Exclude<keyof Options, Open>]: Exclude<Options[Name], undefined>;
} & Pick<Options, Open>;

/** One row for each option: its check and its default. A required or `Open` option has only a check. */
export type Rows<Options extends object, Open extends keyof Options = never, Context = void> = {
  readonly [Name in keyof Options]-?: Name extends Open | RequiredName<Options>
    ? Check | NestedRows
    : readonly [
        check: Check | NestedRows,
        value: Default<Exclude<Options[Name], undefined>, Settings<Options, Open>, Context>,
      ];
};

/** A row for any option. */
export type Row = Check | NestedRows | readonly [check: Check | NestedRows, value: unknown];

/** An option whose value is, or may be, an object of options. */
export interface NestedRows {
  readonly check: Check;
  readonly rows: Readonly<Record<string, Row>>;
}

/** An options interface: the checks for its properties, and their defaults. */
export interface OptionGroup<
  Options extends object,
  Open extends keyof Options = never,
  Context = void,
> extends NestedRows {
  /** Fills in every default. The options must have passed `check`. A nested group is left unchanged. */
  build(given: Options | undefined, context: Context): Settings<Options, Open>;
}

/** What a group contains besides its rows. */
interface GroupParts<Options> {
  /** Checks combinations of properties, after each has passed its own check. */
  readonly together?: (option: string, given: Options) => void;
  readonly aliases?: Aliases;
}

/**
 * Declares the checks and defaults of an interface's options. The compiler rejects a missing row, and a row without
 * an option.
 *
 * @example
 * const SHUTDOWN = optionGroup<ShutdownOptions>({
 *   drainMs: [millisecondsOrNone, 0],
 *   graceMs: [millisecondsOrNone, ({ drainMs }) => (drainMs === 0 ? 0 : 10_000)],
 * });
 */
export function optionGroup<Options extends object, Open extends keyof Options = never, Context = void>(
  declared: Rows<Options, Open, Context>,
  { together, aliases }: GroupParts<Options> = {},
): OptionGroup<Options, Open, Context> {
  const rows = declared as Readonly<Record<string, Row>>;
  const checks = selectChecks(rows);
  return {
    rows,
    check: (option, value) => {
      assertProperties(option, value, checks, aliases);
      together?.(option, value as Options);
    },
    build: (given, context) => fill(rows, given ?? {}, context) as Settings<Options, Open>,
  };
}

/** Returns the checks of all rows, keyed by option. */
export function selectChecks(rows: Readonly<Record<string, Row>>): Checks {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, findCheck(row)]));
}

/** Declares an option that is a flag or an object of options. */
export function switchable(group: NestedRows): NestedRows {
  return nested(either('boolean', flag, group.check), group);
}

/** Declares an option that may be an object with a group's properties, under a custom check. */
export function nested(check: Check, { rows }: NestedRows): NestedRows {
  return { check, rows };
}

type Members = Readonly<Record<string, unknown>>;

function findCheck(row: Row): Check {
  if (typeof row === 'function') return row;
  return isDefaulted(row) ? findCheck(row[0]) : row.check;
}

/** Applications that read their environment pass `undefined` for unset options, in which case the default applies. */
function fill(rows: Readonly<Record<string, Row>>, given: Members, context: unknown): Members {
  const settings: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows)) {
    const value = given[name];
    if (value !== undefined) settings[name] = value;
    else if (isDefaulted(row)) settings[name] = selectDefault(row[1], settings, context);
  }
  return settings;
}

function selectDefault(value: unknown, above: Members, context: unknown): unknown {
  return typeof value === 'function' ? (value as Derive<unknown, Members, unknown>)(above, context) : value;
}

function isDefaulted(row: Row): row is readonly [Check | NestedRows, unknown] {
  return Array.isArray(row);
}
