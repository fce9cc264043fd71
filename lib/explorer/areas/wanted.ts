import type { Json } from '../forms/json-schema.js';

/** The events that somebody wants to hear of. */
export interface Wanted {
  readonly name: string;
  readonly arguments: Json;
}
