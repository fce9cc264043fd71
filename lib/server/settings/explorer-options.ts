import { type Check, fail, flag } from '../../core/checks/option-checks.js';
import { optionGroup, switchable, type NestedRows, type Settings } from '../../core/checks/option-group.js';
import { type AuthGuardClass, guard } from './module-options.js';

/** Who sees the page that a browser gets at the endpoint. */
export interface ExplorerOptions {
  /**
   * A guard that decides who sees the page, on this machine or another. Required if `NODE_ENV` is `production`.
   * @default none: this machine alone is shown it
   */
  readonly guard?: AuthGuardClass;
  /**
   * Whether the server registers the page, and fetches its tokens, at `auth.authorizationServers` that let no page do so.
   * @default true; false if `NODE_ENV` is `production`
   * @see docs/explorer.md, "Logging in through the server"
   */
  readonly loginRelay?: boolean;
}

/** Who sees the page, with every default filled in. */
export type ExplorerSettings = Settings<ExplorerOptions, 'guard'>;

export const EXPLORER = optionGroup<ExplorerOptions, 'guard'>({
  guard: guard('must be a class with a method "canActivate"'),
  loginRelay: [flag, () => !isProduction()],
});

const SWITCH = switchable(EXPLORER);

/** In production the application must decide who sees the page. */
const check: Check = (option, value) => {
  SWITCH.check(option, value);
  if (value === false || !isProduction()) return;
  if (typeof value === 'object' && (value as ExplorerOptions).guard !== undefined) return;
  fail(`${option}.guard`, 'is required where NODE_ENV is "production": give a guard, or leave the page out');
};

/** The row of the option `explorer`. Without the option, the page only exists during development. */
export const EXPLORER_ROW: readonly [NestedRows, () => boolean] = [
  { ...SWITCH, check },
  () => !isProduction(),
];

function isProduction(): boolean {
  return process.env['NODE_ENV'] === 'production';
}
