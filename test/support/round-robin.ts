import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** For how long a connection without a request is kept, at most. */
const IDLE_MS = 60_000;

/** A proxy that sends each request to the next of several servers. */
export interface RoundRobin {
  readonly url: string;
  stop(): void;
}

/** Starts a plain balancer before endpoints: it knows nothing of clients. */
export async function startRoundRobin(urls: readonly string[]): Promise<RoundRobin> {
  // A connection that a server may be ending is not used again: with a time-out of its own the agent heeds the server's.
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const target = urls[turn++ % urls.length] ?? '';
    const { method, headers } = incoming;
    const forwarded = request(target, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`,
    stop() {
      proxy.closeAllConnections();
      proxy.close();
      agent.destroy();
    },
  };
}
