import type { ExplorerOptions } from './explorer-options.interface.js';
import { onlyGiven } from './only-given.js';

/** The page that browsers get at the endpoint. */
export interface ExplorerSettings {
  /** Absent if browsers get none. */
  readonly explorer?: Pick<ExplorerOptions, 'guard'> & { readonly loginRelay: boolean };
}

/** Fills every default in: a page that nobody asked for is there while an application is developed. */
export function buildExplorerSettings(option: boolean | ExplorerOptions = !isProduction()): ExplorerSettings {
  if (option === false) return {};
  const given = option === true ? {} : onlyGiven(option);
  return { explorer: { loginRelay: !isProduction(), ...given } };
}

function isProduction(): boolean {
  return process.env['NODE_ENV'] === 'production';
}
