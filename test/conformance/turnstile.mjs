import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Lets programs pass a few at a time: whoever connects goes on when it gets a byte, and is through when its connection ends.
 * The suite starts all clients at once, and on a small machine each would be slower than connections are kept open.
 */
export async function startTurnstile(places) {
  const waiting = [];
  let free = places;
  const admit = () => {
    while (free > 0 && waiting.length > 0) {
      free -= 1;
      waiting.shift().write('.');
    }
  };
  const server = createServer((socket) => {
    waiting.push(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const index = waiting.indexOf(socket);
      if (index === -1) free += 1;
      else waiting.splice(index, 1);
      admit();
    });
    socket.resume();
    admit();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, stop: () => server.close() };
}
