import { onlyGiven } from './only-given.js';
import type { ServerCardOptions } from './server-card-options.interface.js';

/** What a server tells about itself before anybody connects. */
export interface ServerCardSettings {
  /** Absent if the server has no card. */
  readonly serverCard?: ServerCardOptions;
}

/** Fills every default in. */
export function buildServerCardSettings(option: boolean | ServerCardOptions = true): ServerCardSettings {
  if (option === false) return {};
  return { serverCard: option === true ? {} : onlyGiven(option) };
}
