import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';
import { isLoopbackAddress } from '../../../lib/core/network/address-networks.js';
import { stripBrackets } from '../../../lib/core/network/host-names.js';
import type { LoadTarget } from './load-target.js';

const CONNECT_MS = 5000;

const ELSEWHERE =
  'has a local host name that resolves to another machine: pass "--remote" if you are allowed to put load on it';

/**
 * Connects to a server, or fails with the error of the operating system. All connections of a run are opened here,
 * because only an open connection reveals which machine a name resolves to.
 *
 * @throws {ProbeError} if the connection is not accepted in time, or leads to another machine without permission to put
 * load on it
 */
export function openSocket({ url, isRemote }: Omit<LoadTarget, 'headers'>): Promise<Socket> {
  const host = stripBrackets(url.hostname);
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  const socket = isSecure
    ? // TLS cannot ask for an address, only for a name.
      connectTls({ host, port, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] })
    : connectPlain({ host, port });
  socket.setNoDelay(true);
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => socket.destroy(new ProbeError('did not accept the connection in time')),
      CONNECT_MS,
    );
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(late);
      reject(new ProbeError('closed the connection immediately'));
    });
    socket.once('connect', () => {
      if (!isRemote && !isLoopbackAddress(socket.remoteAddress ?? ''))
        socket.destroy(new ProbeError(ELSEWHERE));
    });
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      clearTimeout(late);
      if (socket.destroyed) return;
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
