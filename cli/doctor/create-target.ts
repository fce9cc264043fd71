import { isIP } from 'node:net';
import { mayBeProxy } from '../../lib/core/network/address-networks.js';
import { isPrivateName, stripBrackets } from '../../lib/core/network/host-names.js';
import { isLoopbackHost } from '../../lib/core/oauth/secure-url.js';
import { Target, type TokenAdvice } from '../../lib/core/doctor/target.js';
import { DOCTOR_NAME, type ProbeClient } from '../../lib/core/doctor/probe/messages.js';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import type { DoctorOptions } from './doctor-options.js';
import { createNodeWire } from './probe/node-wire.js';

/** The client name and version to report to servers. */
const DOCTOR: ProbeClient = { name: DOCTOR_NAME, version: readOwnPackage().version };

const ADVICE: TokenAdvice = {
  none: 'To include that, pass a token in MCP_TOKEN or with "--token", or log in with "npx nestjs-mcp-cli login"',
  bound:
    'It is bound to a key ("cnf") that only a stored login has: log in with "npx nestjs-mcp-cli login" and pass no token',
};

const PUBLIC_URL_ADVICE = 'If clients use a different URL, pass it with "--public-url"';

/** Creates the examined server, as it is reached from here. */
export function createTarget(options: DoctorOptions, wire = createNodeWire(options)): Target {
  const hasProof = options.proof !== undefined;
  return new Target({ ...options, hasProof, clientInfo: DOCTOR, advice: selectAdvice(options) }, wire);
}

/** Clients rarely use a private address. */
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
