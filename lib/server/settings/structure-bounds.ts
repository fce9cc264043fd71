import type { StructureBounds } from '../../core/protocol/count-values.js';
import type { ServerSettings } from './server-settings.js';

/** Returns how much structure a message of a client may have. */
export function selectStructureBounds({ limits }: Pick<ServerSettings, 'limits'>): StructureBounds {
  return { values: limits.bodyValues, depth: limits.bodyDepth };
}
