import type { TokenAdvice } from '../../core/doctor/target-options.interface.js';
import { Target } from '../../core/doctor/target.js';
import { DOCTOR_NAME, type ProbeClient } from '../../core/doctor/probe/messages.js';
import { readOwnPackage } from '../../core/package/own-package.js';
import type { DoctorOptions } from './doctor-options.js';
import { createNodeWire } from './probe/node-wire.js';

/** Whom servers are told that they are asked by. */
const DOCTOR: ProbeClient = { name: DOCTOR_NAME, version: readOwnPackage().version };

const ADVICE: TokenAdvice = {
  none: 'Give one in MCP_TOKEN or by "--token", or log in by "npx nestjs-mcp login"',
  bound:
    'It is bound to a key ("cnf"), which only a login that is kept has: log in by "npx nestjs-mcp login" and give no token',
};

/** Creates the server that is examined, as it is reached from here. */
export function createTarget(options: DoctorOptions, wire = createNodeWire(options)): Target {
  const hasProof = options.proof !== undefined;
  return new Target({ ...options, hasProof, clientInfo: DOCTOR, advice: ADVICE }, wire);
}
