import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';

/** Knows which requests of the official client wait for their answers, and sees where none can come any more. */
export class AwaitedAnswers {
  readonly #ids = new Set<unknown>();

  /** @param onBroken is told which request has an answer that broke off, and of which nobody can fetch the rest */
  constructor(private readonly onBroken: (id: number) => void) {}

  /** Sees what goes over a transport from now on; to be called before the official client has it. */
  watch(transport: Transport): void {
    transport.onmessage = (message) => {
      // The official client takes an id for what it sent, too, where it comes back as a text.
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

  /** Be it that it is answered, or that nobody asks any more. */
  #forget(id: unknown): void {
    this.#ids.delete(id);
  }

  #expect(id: number, options: TransportSendOptions): TransportSendOptions {
    this.#ids.add(id);
    options.requestSignal?.addEventListener('abort', () => this.#forget(id), { once: true });
    const onRequestStreamEnd = () => {
      options.onRequestStreamEnd?.();
      if (this.#ids.delete(id)) this.onBroken(id);
    };
    return { ...options, onRequestStreamEnd };
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
