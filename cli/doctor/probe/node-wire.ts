import type { ProbeWire } from '../../../lib/core/doctor/probe/probe-wire.interface.js';
import type { DoctorOptions } from '../doctor-options.js';
import { sendAuthorized } from './authorized-probe.js';
import { sendProbe } from './http-probe.js';

/** Sends what the doctor asks from Node, which says anything of itself and sees all of an answer. */
export function createNodeWire({
  token = '',
  proof,
  publicUrl,
  timeoutMs: usualMs,
}: Pick<DoctorOptions, 'token' | 'proof' | 'publicUrl' | 'timeoutMs'>): ProbeWire {
  return {
    send: (url, probe) => sendProbe(url, probe, probe.timeoutMs ?? usualMs),
    sendAuthorized: (url, probe) =>
      sendAuthorized(url, probe, {
        token,
        proof,
        provenUrl: publicUrl ?? url,
        timeoutMs: probe.timeoutMs ?? usualMs,
      }),
  };
}
