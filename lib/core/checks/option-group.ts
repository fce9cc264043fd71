import { assertMembers, either, flag, type Aliases, type Check, type Checks } from './option-checks.js';

/** Members that an interface requires. */
type RequiredName<Options> = {
  [Name in keyof Options]-?: object extends Pick<Options, Name> ? never : Name;
}[keyof Options];

type Callable = (...args: never[]) => unknown;

/** Derives a default from the members of the rows above, and from whatever else it depends on. */
type Derive<Value, Above, Context> = (above: Above, context: Context) => Value;

/** A default. A function is called for it, so functions cannot be defaults themselves. */
type Default<Value, Above, Context> = [Extract<Value, Callable>] extends [never]
  ? Value | Derive<Value, Above, Context>
  : Derive<Value, Above, Context>;

/** Options with every default filled in. The `Open` ones have none: they stay absent if they are not given. */
export type Settings<Options extends object, Open extends keyof Options = never> = {
  readonly [Name in Exclude<keyof Options, Open>]: Exclude<Options[Name], undefined>;
} & Pick<Options, Open>;

/** One row for each option: its check and its default. An option that is required or `Open` has a check alone. */
export type Rows<Options extends object, Open extends keyof Options = never, Context = void> = {
  readonly [Name in keyof Options]-?: Name extends Open | RequiredName<Options>
    ? Check | NestedRows
    : readonly [
        check: Check | NestedRows,
        value: Default<Exclude<Options[Name], undefined>, Settings<Options, Open>, Context>,
      ];
};

/** A row of any option. */
export type Row = Check | NestedRows | readonly [check: Check | NestedRows, value: unknown];

/** An option whose value is an object of options, or may be one. */
export interface NestedRows {
  readonly check: Check;
  readonly rows: Readonly<Record<string, Row>>;
}

/** An interface of options: what its members must be, and what they are by default. */
export interface OptionGroup<
  Options extends object,
  Open extends keyof Options = never,
  Context = void,
> extends NestedRows {
  /** Fills every default in. The options are expected to have passed `check`. A group in it stays as it was given. */
  build(given: Options | undefined, context: Context): Settings<Options, Open>;
}

/** What a group has in addition to its rows. */
interface GroupParts<Options> {
  /** Checks members that must fit each other, after each was checked alone. */
  readonly together?: (option: string, given: Options) => void;
  readonly aliases?: Aliases;
}

/**
 * Declares what the options of an interface must be, and what they are by default. The compiler refuses a missing row, and a
 * row of no option.
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
      assertMembers(option, value, checks, aliases);
      together?.(option, value as Options);
    },
    build: (given, context) => fill(rows, given ?? {}, context) as Settings<Options, Open>,
  };
}

/** Returns the checks of all rows, by the names of their options. */
export function selectChecks(rows: Readonly<Record<string, Row>>): Checks {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, findCheck(row)]));
}

/** Declares an option that is a flag, or an object of options. */
export function switchable(group: NestedRows): NestedRows {
  return nested(either('boolean', flag, group.check), group);
}

/** Declares an option that may have, by a check of its own, the members of a group. */
export function nested(check: Check, { rows }: NestedRows): NestedRows {
  return { check, rows };
}

type Members = Readonly<Record<string, unknown>>;

function findCheck(row: Row): Check {
  if (typeof row === 'function') return row;
  return isDefaulted(row) ? findCheck(row[0]) : row.check;
}

/** Applications that read their environment give what is not set as `undefined`: the default counts then. */
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
