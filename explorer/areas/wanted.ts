import type { Connection } from '../connection/connection.js';
import type { Json } from '../forms/json-schema.js';

/** The events that somebody wants to hear of. */
export interface Wanted {
  readonly name: string;
  readonly arguments: Json;
}

/** A way to the events that somebody wants to hear of. */
export interface WantedProps {
  readonly connection: Connection;
  readonly wanted: Wanted;
}
