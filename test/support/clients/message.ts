export type JsonObject = { readonly [name: string]: unknown };

/** A JSON-RPC message as a test reads it: any of the four kinds. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A `_meta` key of the protocol's namespace. */
export function metaKey(name: string): string {
  return `io.modelcontextprotocol/${name}`;
}
