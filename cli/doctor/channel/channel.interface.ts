import type { JsonObject } from '../../../lib/core/protocol/parse-json-object.js';

/** What carries messages to a server and back, one for each handshake. */
export interface Channel {
  /** Opens it. */
  open(receive: (message: JsonObject) => void): Promise<void>;
  send(message: JsonObject): Promise<void>;
  /** Says why no answer can come any more; absent as long as one can. */
  readonly fault: string | undefined;
  close(): Promise<void>;
}
