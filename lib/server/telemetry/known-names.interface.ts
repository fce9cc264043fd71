import type { Params } from '../../core/protocol/json-rpc.js';

/** Tells which names a server has. Callers may invent any others, so these name neither spans nor series of metrics. */
export interface KnownNames {
  hasMethod(method: string): boolean;
  /** Tells whether there is the tool or prompt of a request; true for methods that are about neither. */
  hasTarget(method: string, params: Params | undefined): boolean;
}

/** Knows everything, where nobody else says what there is. */
export const ALL_KNOWN: KnownNames = Object.freeze({ hasMethod: () => true, hasTarget: () => true });
