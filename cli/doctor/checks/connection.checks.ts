import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  type Check,
  end,
  failure,
  judgePlainHttp,
  ok,
  type Outcome,
  quote,
  warning,
} from '../../../lib/core/doctor/finding.js';
import type { Target } from '../../../lib/core/doctor/target.js';
import { ProbeError } from '../../../lib/core/doctor/probe/probe-wire.js';
import { buildProbeError } from '../probe/build-probe-error.js';

/** By two weeks before expiry, automatic renewal should have succeeded. */
const SOON_MS = 14 * 86_400_000;

/** Whether the server can be reached, and has a valid certificate. */
export const CONNECTION_CHECKS: readonly Check[] = [
  { id: 'reachable', run: checkReachable },
  { id: 'tls', run: checkTls },
];

async function checkReachable(target: Target): Promise<Outcome> {
  const { host, port } = readAddress(target.url);
  try {
    const socket = await open(connect({ host, port }), 'connect', target.options.timeoutMs);
    socket.destroy();
    return ok(`${target.url.host} accepts connections`);
  } catch (cause) {
    const { reason } = buildProbeError(cause, target.options.timeoutMs);
    const fix = 'Check the host name, the port and the firewall, and make sure that the server is running';
    return end(failure(`${target.url.host} ${reason}`, fix), 'unreachable');
  }
}

async function checkTls(target: Target): Promise<Outcome> {
  const { url, options } = target;
  if (url.protocol === 'http:') return judgePlainHttp(target);
  const { host, port } = readAddress(url);
  const servername = isIP(host) === 0 ? host : '';
  const socket = connectTls({ host, port, servername, rejectUnauthorized: false });
  try {
    return judgeCertificate(await open(socket, 'secureConnect', options.timeoutMs));
  } catch (cause) {
    const { reason } = buildProbeError(cause, options.timeoutMs);
    return end(
      failure(
        `No TLS connection could be established: the server ${reason}`,
        'Make sure that the server supports TLS 1.2 or newer on this port',
      ),
    );
  } finally {
    socket.destroy();
  }
}

function judgeCertificate(socket: TLSSocket): Outcome {
  if (!socket.authorized) {
    const fix =
      'Serve a valid certificate for this host name, with its whole chain; if a private CA issued it, set NODE_EXTRA_CA_CERTS';
    return end(failure(`The certificate is not trusted: ${quote(String(socket.authorizationError))}`, fix));
  }
  const endsAt = Date.parse(socket.getPeerCertificate().valid_to);
  const day = new Date(endsAt).toISOString().slice(0, 'YYYY-MM-DD'.length);
  if (endsAt < Date.now() + SOON_MS) return warning(`The certificate expires on ${day}`, 'Renew it');
  return ok(`${socket.getProtocol() ?? 'TLS'}, with a certificate that is valid until ${day}`);
}

function readAddress({ hostname, port, protocol }: URL) {
  const standard = protocol === 'https:' ? 443 : 80;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? standard : Number(port) };
}

function open<Kind extends Socket>(socket: Kind, event: string, timeoutMs: number): Promise<Kind> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new ProbeError(`did not respond within ${timeoutMs} ms`));
    }, timeoutMs);
    socket.once(event, () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
