import { isIP } from 'node:net';
import { mayBeProxy } from '../../lib/core/network/address-networks.js';
import { isPrivateName, stripBrackets } from '../../lib/core/network/host-names.js';
import { isLoopbackHost } from '../../lib/core/oauth/secure-url.js';
import { Target, type TokenAdvice } from '../../lib/core/doctor/target.js';
import { DOCTOR_NAME, type ProbeClient } from '../../lib/core/doctor/probe/messages.js';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import type { DoctorOptions } from './doctor-options.js';
import { createNodeWire } from './probe/node-wire.js';

/** Whom servers are told that they are asked by. */
const DOCTOR: ProbeClient = { name: DOCTOR_NAME, version: readOwnPackage().version };

const ADVICE: TokenAdvice = {
  none: 'To examine that too, give one in MCP_TOKEN or by "--token", or log in by "npx nestjs-mcp-cli login"',
  bound:
    'It is bound to a key ("cnf"), which only a stored login has: log in by "npx nestjs-mcp-cli login" and give no token',
};

const PUBLIC_URL_ADVICE = 'If clients use another URL than this one, name it by "--public-url"';

/** Creates the server that is examined, as it is reached from here. */
export function createTarget(options: DoctorOptions, wire = createNodeWire(options)): Target {
  const hasProof = options.proof !== undefined;
  return new Target({ ...options, hasProof, clientInfo: DOCTOR, advice: selectAdvice(options) }, wire);
}

/** Clients seldom know a server by an address of its own network. */
function selectAdvice({ url, publicUrl }: DoctorOptions): TokenAdvice {
  return publicUrl === undefined && isNearby(url.hostname)
    ? { ...ADVICE, publicUrl: PUBLIC_URL_ADVICE }
    : ADVICE;
}

function isNearby(hostname: string): boolean {
  const address = stripBrackets(hostname);
  if (isIP(address) !== 0) return mayBeProxy(address);
  return isLoopbackHost(hostname) || isPrivateName(hostname) || !hostname.includes('.');
}
