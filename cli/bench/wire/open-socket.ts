import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';
import { isLoopbackAddress } from '../../../lib/core/network/address-networks.js';
import { stripBrackets } from '../../../lib/core/network/host-names.js';
import type { LoadTarget } from './load-target.js';

const CONNECT_MS = 5000;

const ELSEWHERE =
  'is not on this machine, although its name says so: give "--remote" if you may put load on it';

/**
 * Connects to a server, or fails as the system says. Every connection of the bench is made here: a name says nothing of where
 * it leads.
 *
 * @throws {ProbeError} if that takes too long, or leads to another machine that no load may be put on
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
      () => socket.destroy(new ProbeError('did not take the connection in time')),
      CONNECT_MS,
    );
    socket.once('error', reject);
    socket.once('close', () => {
      clearTimeout(late);
      reject(new ProbeError('closed the connection at once'));
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
