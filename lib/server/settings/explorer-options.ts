import { type Check, fail, flag } from '../../core/checks/option-checks.js';
import { optionGroup, switchable, type NestedRows, type Settings } from '../../core/checks/option-group.js';
import { type AuthGuardClass, guard } from './module-options.js';

/** Access to the explorer, the page that the endpoint serves to browsers. */
export interface ExplorerOptions {
  /**
   * A guard that decides who may open the page, on this machine or elsewhere. Required if `NODE_ENV` is `production`.
   * @default none: only browsers on this machine may open it
   */
  readonly guard?: AuthGuardClass;
  /**
   * Whether the server registers the page as a client and requests its tokens, at `auth.authorizationServers` that do
   * not allow cross-origin requests.
   * @default true; false if `NODE_ENV` is `production`
   * @see docs/explorer.md, "Logging in through the server"
   */
  readonly loginRelay?: boolean;
}

/** Access to the explorer, with all defaults applied. */
export type ExplorerSettings = Settings<ExplorerOptions, 'guard'>;

export const EXPLORER = optionGroup<ExplorerOptions, 'guard'>({
  guard: guard('must be a class with a method "canActivate"'),
  loginRelay: [flag, () => !isProduction()],
});

const SWITCH = switchable(EXPLORER);

/** In production, the application must decide who sees the page. */
const check: Check = (option, value) => {
  SWITCH.check(option, value);
  if (value === false || !isProduction()) return;
  if (typeof value === 'object' && (value as ExplorerOptions).guard !== undefined) return;
  fail(`${option}.guard`, 'is required if NODE_ENV is "production": set a guard, or disable the page');
};

/** The row for the `explorer` option. Without the option, the page exists only during development. */
export const EXPLORER_ROW: readonly [NestedRows, () => boolean] = [
  { ...SWITCH, check },
  () => !isProduction(),
];

function isProduction(): boolean {
  return process.env['NODE_ENV'] === 'production';
}
