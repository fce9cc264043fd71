import { connect } from 'node:net';

/** An address that drops packets says nothing at all. */
const LONGEST_MS = 1000;

/** Tells whether something listens at an address. */
export async function canConnect(host: string, port: number, timeoutMs: number): Promise<boolean> {
  try {
    await open(host, port, timeoutMs);
    return true;
  } catch {
    return false;
  }
}

function open(host: string, port: number, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: Math.min(timeoutMs, LONGEST_MS) });
    const close = (settle: () => void) => () => {
      socket.destroy();
      settle();
    };
    socket.once('connect', close(resolve));
    socket.once('timeout', close(reject));
    socket.on('error', close(reject));
  });
}
