import type { GlobalEnhancersOptions } from './global-enhancers-options.interface.js';

/** A choice for each kind. */
export type GlobalEnhancersSettings = Required<GlobalEnhancersOptions>;

/** Gives each kind its choice. */
export function buildGlobalEnhancers(
  options: boolean | GlobalEnhancersOptions = {},
): GlobalEnhancersSettings {
  const { guards = false, interceptors = false, pipes = false, filters = false } = expand(options);
  return { guards, interceptors, pipes, filters };
}

function expand(options: boolean | GlobalEnhancersOptions): GlobalEnhancersOptions {
  if (typeof options !== 'boolean') return options;
  return { guards: options, interceptors: options, pipes: options, filters: options };
}
