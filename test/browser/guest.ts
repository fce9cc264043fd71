import type { CallToolResult } from '@modelcontextprotocol/client';

/** A client program whose user has a browser. */
export interface Guest {
  /** Connects, which takes as long as its user needs to log in. */
  connect(): Promise<void>;
  call(name: string, input?: Record<string, unknown>): Promise<CallToolResult>;
  /** Waits until it has sent its user to the authorization server so many times, and gives the last address. */
  sentTo(times: number): Promise<string>;
  stop(): Promise<void>;
}

/** What a client stores of a login. */
export interface StoredLogin {
  readonly clientId: string;
  readonly refreshToken: string;
}

/** A client program whose stored login can be read, as by its user or a thief. */
export interface ReadableGuest extends Guest {
  readLogin(): Promise<StoredLogin>;
}
