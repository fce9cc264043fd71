import type { Transport } from '@modelcontextprotocol/client';
import { formatAuthorization } from '../../../lib/client/authorization/authorization-headers.js';
import { isSecureUrl } from '../../../lib/core/oauth/secure-url.js';
import { createHeaderFetch } from '../../server/header-fetch.js';
import { createServerFetch } from '../../server/server-fetch.js';
import type { DoctorOptions } from '../doctor-options.js';
import { LONGEST_BODY_BYTES } from '../../../lib/core/doctor/probe/probe-wire.js';
import type { Channel } from './channel-wire.js';

/** Creates a function that opens HTTP+SSE channels to a server. */
export async function loadSseChannels(options: DoctorOptions): Promise<() => Promise<Channel>> {
  const { SSEClientTransport } = await import('@modelcontextprotocol/client');
  const { url, token, timeoutMs } = options;
  const isSent = token !== undefined && isSecureUrl(url.href);
  const headers = { ...options.headers, ...(isSent && { authorization: formatAuthorization(token) }) };
  const send = createServerFetch({ timeoutMs, responseLimit: { maxBytes: LONGEST_BODY_BYTES } });
  const fetch = createHeaderFetch(send, headers);
  return () => Promise.resolve(new SseChannel(new SSEClientTransport(url, { fetch })));
}

class SseChannel implements Channel {
  #failure: string | undefined;

  constructor(private readonly transport: Transport) {}

  get failure(): string | undefined {
    return this.#failure;
  }

  async open(receive: Parameters<Channel['open']>[0]): Promise<void> {
    const { transport } = this;
    transport.onmessage = (message) => receive({ ...message });
    transport.onclose = () => (this.#failure ??= 'closed its event stream');
    transport.onerror = () => (this.#failure ??= 'broke its event stream, or rejected a message');
    await transport.start().catch(() => (this.#failure ??= 'did not open an event stream'));
  }

  async send(message: Parameters<Channel['send']>[0]): Promise<void> {
    if (this.#failure !== undefined) return;
    const sending = this.transport.send(message as Parameters<Transport['send']>[0]);
    await sending.catch(() => (this.#failure ??= 'rejected a message'));
  }

  close(): Promise<void> {
    return this.transport.close();
  }
}
