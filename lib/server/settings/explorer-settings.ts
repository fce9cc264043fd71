import type { ExplorerOptions } from './explorer-options.interface.js';
import { onlyGiven } from './only-given.js';

/** The page that browsers get at the endpoint. */
export interface ExplorerSettings {
  /** Absent if browsers get none. */
  readonly explorer?: ExplorerOptions;
}

/** Fills every default in: a page that nobody asked for is there while an application is developed. */
export function buildExplorerSettings(
  option: boolean | ExplorerOptions = process.env['NODE_ENV'] !== 'production',
): ExplorerSettings {
  if (option === false) return {};
  return { explorer: option === true ? {} : onlyGiven(option) };
}
