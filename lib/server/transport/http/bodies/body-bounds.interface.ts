import type { StructureBounds } from '../../../../core/protocol/count-values.js';

/** How much a request body may have. */
export interface BodyBounds extends StructureBounds {
  readonly bytes: number;
}
