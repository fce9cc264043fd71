import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';

/** Carries the messages of the bridge, which is outside of the browser, to the host's page in it and back. */
export class PageTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #isClosed = false;

  constructor(private readonly page: Page) {}

  /** Takes messages until the page is gone; the bridge does not wait for that. */
  async start(): Promise<void> {
    void this.#take();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    await this.page.evaluate(`sendMessage(${JSON.stringify(message)})`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  async #take(): Promise<void> {
    try {
      while (!this.#isClosed) {
        const messages = await this.page.evaluate<JSONRPCMessage[]>('takeMessages()');
        for (const message of messages) this.onmessage?.(message);
      }
    } catch {
      // The page is closed.
      await this.close();
    }
  }
}
