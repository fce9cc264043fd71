import { once } from 'node:events';
import { createServer, request } from 'node:http';

/**
 * Starts a proxy that adds a token to every request, for clients that know of none. All else goes through as it came and
 * as soon as it comes: the bytes of event streams, the end of a connection, and `Host`, by which a server tells whom a
 * page that calls it believes to talk to.
 */
export async function startTokenProxy(target, token) {
  const proxy = createServer((incoming, answer) => forward({ incoming, answer, target, token }));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: Object.assign(new URL(target), { port: proxy.address().port }).href,
    stop: () => stopProxy(proxy),
  };
}

function forward({ incoming, answer, target, token }) {
  const { hostname, port } = new URL(target);
  const { method, url: path, rawHeaders } = incoming;
  const headers = [...rawHeaders, 'Authorization', `Bearer ${token}`];
  const outgoing = request({ hostname, port, method, path, headers, setHost: false });
  outgoing.on('response', (response) => {
    answer.writeHead(response.statusCode, response.statusMessage, response.rawHeaders);
    answer.flushHeaders();
    response.pipe(answer);
    response.on('error', () => answer.destroy());
  });
  outgoing.on('error', () => answer.destroy());
  answer.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}

async function stopProxy(proxy) {
  proxy.close();
  proxy.closeAllConnections();
  await once(proxy, 'close');
}
