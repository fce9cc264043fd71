import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { BROKEN_OFF } from './is-transient.js';

/** Knows the pending requests of the official client, and fails those whose answers can no longer come. */
export class AwaitedAnswers {
  readonly #ids = new Set<unknown>();

  constructor(private readonly transport: Transport) {}

  /** Sees what goes over the transport from now on; to be called before the official client has it. */
  watch(): void {
    const { transport } = this;
    transport.onmessage = (message) => {
      // The official client takes an id for what it sent, too, if it comes back as a text.
      if (!('method' in message)) this.#forget(Number(message.id));
    };
    const send = transport.send.bind(transport);
    transport.send = (message, options = {}) => {
      if (isCancellation(message)) this.#forget(message.params?.['requestId']);
      const id = findRequestId(message);
      if (id === undefined) return send(message, options);
      return send(message, this.#expect(id, options)).catch((error: unknown) => {
        this.#forget(id);
        throw error;
      });
    };
  }

  /** Either it is answered, or nobody asks any more. */
  #forget(id: unknown): void {
    this.#ids.delete(id);
  }

  #expect(id: number, options: TransportSendOptions): TransportSendOptions {
    this.#ids.add(id);
    options.requestSignal?.addEventListener('abort', () => this.#forget(id), { once: true });
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      if (this.#ids.delete(id)) this.#fail(id);
    };
    return { ...options, onRequestStreamEnd };
  }

  /** Nobody can fetch the rest of an answer that broke off, and the call would wait for it until its time is up. */
  #fail(id: number): void {
    const error = { code: -32_000, message: BROKEN_OFF };
    this.transport.onmessage?.({ jsonrpc: '2.0', id, error });
  }
}

type Sent = JSONRPCMessage & { readonly params?: { readonly [name: string]: unknown } | undefined };

function isCancellation(message: JSONRPCMessage): message is Sent {
  return 'method' in message && message.method === 'notifications/cancelled';
}

/** The official client numbers its requests; what it listens to has a name, and is seen to elsewhere. */
function findRequestId(message: JSONRPCMessage): number | undefined {
  const id = 'method' in message && 'id' in message ? message.id : undefined;
  return typeof id === 'number' ? id : undefined;
}
