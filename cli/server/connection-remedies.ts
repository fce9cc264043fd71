import { ProbeError } from '../../lib/core/doctor/probe/probe.error.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';

const ADDRESS = 'check the host and the port of its URL';

const NAME = 'check the host of its URL, and the network';

/** What to do, by what the system says of a connection. */
const REMEDIES: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', `start it, or ${ADDRESS}`],
  ['ENOTFOUND', 'check the host of its URL'],
  ['EAI_AGAIN', NAME],
  ['CERT_HAS_EXPIRED', 'renew it'],
  ['CERT_NOT_YET_VALID', 'check the clock of this machine'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'use the name that it has, or give the server one of its own'],
  ['ECONNRESET', 'look at the log of the server, or at that of the proxy before it'],
  ['UND_ERR_SOCKET', 'look at the log of the server, or at that of the proxy before it'],
  ['EHOSTUNREACH', NAME],
  ['ENETUNREACH', NAME],
  ['ETIMEDOUT', `${ADDRESS}, and firewalls on the way`],
  ['UND_ERR_CONNECT_TIMEOUT', `${ADDRESS}, and firewalls on the way`],
]);

/** Says behind a message about a connection what to do, if that is known. */
export function addRemedy(message: string, error: Error): string {
  const system = error instanceof ProbeError ? error.cause : error;
  const remedy = REMEDIES.get(isObject(system) ? system['code'] : undefined);
  return remedy === undefined ? message : `${message}: ${remedy}`;
}
