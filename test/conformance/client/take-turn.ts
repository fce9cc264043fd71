import { once } from 'node:events';
import { connect } from 'node:net';

/** Waits until few enough clients run; its own turn ends with the process. */
export async function takeTurn(port: string | undefined): Promise<void> {
  if (port === undefined) return;
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'data');
  socket.unref();
}
