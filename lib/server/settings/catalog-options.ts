import * as check from '../../core/checks/option-checks.js';
import type { Check } from '../../core/checks/option-checks.js';
import { optionGroup, switchable, type OptionGroup, type Settings } from '../../core/checks/option-group.js';
import { HOSTS } from '../../core/protocol/hosts/host-rules.js';
import { findToolNameProblem } from '../../core/protocol/tool-name.js';
import type { HandlerVisibility, HandlerVisibilityClass } from './visibility.interface.js';

/** How tools are searched instead of listed. */
export interface ToolSearchOptions {
  /** The name of the search tool. @default 'search_tools' */
  readonly name?: string;
  /**
   * The name of the tool that calls other tools, for hosts whose models can call only listed tools. `false` omits it.
   * @default 'call_tool'
   */
  readonly callTool?: string | false;
  /** The names of tools that are always listed. @default none */
  readonly pinned?: readonly string[];
  /** Tools with one of these tags are always listed too. @default none */
  readonly pinnedTags?: readonly string[];
  /** The default number of tools that a search returns. @default 5 */
  readonly limit?: number;
  /** The maximum number of tools that a search may request. @default 25, or `limit` if greater */
  readonly maxLimit?: number;
}

/** The options of tool search with all defaults applied. */
export interface ToolSearchSettings extends Required<Omit<ToolSearchOptions, 'callTool'>> {
  /** Absent if there is no tool that calls others. */
  readonly callTool?: string;
}

const toolName: Check = (option, value) => {
  const problem = findToolNameProblem(value);
  if (problem !== undefined) check.fail(option, `must be the name of a tool: ${problem}`);
};

export const TOOL_SEARCH: OptionGroup<ToolSearchOptions> = optionGroup<ToolSearchOptions>(
  {
    name: [toolName, 'search_tools'],
    callTool: [check.unlessFalse(toolName), 'call_tool'],
    pinned: [check.list(check.nonEmptyString), []],
    pinnedTags: [check.list(check.nonEmptyString), []],
    limit: [check.positive, 5],
    maxLimit: [check.positive, ({ limit }) => Math.max(25, limit)],
  },
  {
    together: (option, given) => {
      const { name, callTool, limit, maxLimit } = TOOL_SEARCH.build(given);
      if (name === callTool) {
        check.fail(`${option}.callTool`, `must differ from "${name}", which is the name of the search tool`);
      }
      if (limit > maxLimit) check.fail(`${option}.maxLimit`, `must be at least "limit", which is ${limit}`);
    },
  },
);

/** How the catalog is listed. */
export interface CatalogOptions {
  /** Lists a union at the root of an `inputSchema` as one plain object, which hosts accept. Validation does not change. @default true @see docs/schemas.md, "Unions" */
  readonly flattenUnions?: boolean;
  /**
   * Warns at startup about tools that hosts reject: any host, or only the hosts in an array such as `['OpenAI', 'VS
   * Code']`. @default true @see docs/schemas.md, "Host restrictions"
   */
  readonly hostWarnings?: boolean | readonly string[];
  /**
   * Decides who sees the handlers: a provider's class, or an instance. @default visible to all callers, unless a
   * handler has `visible` @see docs/visibility.md, "Visibility"
   */
  readonly visibility?: HandlerVisibility | HandlerVisibilityClass;
  /**
   * Lets clients search for tools. Only pinned tools are then listed. `true` uses the defaults.
   * @default false
   * @see docs/large-catalogs.md, "Search"
   */
  readonly search?: boolean | ToolSearchOptions;
}

/** How the catalog is listed, with all defaults applied. */
export type CatalogSettings = Settings<Omit<CatalogOptions, 'search'>, 'visibility'> & {
  /** Absent if all tools are listed. */
  readonly search?: ToolSearchSettings;
};

const visibility: Check = (option, value) => {
  const holder: unknown = typeof value === 'function' ? value.prototype : value;
  const method: unknown = typeof holder === 'object' && holder !== null && Reflect.get(holder, 'isVisible');
  if (typeof method !== 'function')
    check.fail(option, 'must be a class or an object with a method "isVisible"');
};

export const CATALOG = optionGroup<CatalogOptions, 'visibility'>({
  flattenUnions: [check.flag, true],
  hostWarnings: [check.either('boolean', check.flag, check.list(check.oneOf(...HOSTS))), true],
  visibility,
  search: [switchable(TOOL_SEARCH), false],
});

/** Applies all defaults. */
export function buildCatalogSettings(options: CatalogOptions | undefined): CatalogSettings {
  const { search, ...settings } = CATALOG.build(options);
  if (search === false) return settings;
  const { callTool, ...others } = TOOL_SEARCH.build(search === true ? {} : search);
  return { ...settings, search: { ...others, ...(callTool !== false && { callTool }) } };
}

/** How tool call arguments are parsed. */
export interface ArgumentsOptions {
  /**
   * Repairs arguments that do not match a schema: JSON in a string instead of another type, and null for an optional
   * property. The result must pass full validation. A tool's `repairArguments` takes precedence.
   * @default false
   * @see docs/schemas.md, "Arguments as models write them"
   */
  readonly repair?: boolean;
}

export const ARGUMENTS = optionGroup<ArgumentsOptions>({ repair: [check.flag, false] });
