import { examineTarget, type Examination } from '../../lib/core/doctor/examine-target.js';
import type { Finding } from '../../lib/core/doctor/finding.js';
import { ChannelWire } from './channel/channel-wire.js';
import { WITHOUT_URL } from './channel/examine-process.js';
import { loadSseChannels } from './channel/sse-channel.js';
import { CHECKS } from './checks.js';
import { PRODUCTION_CHECKS } from './checks/production.checks.js';
import { createTarget } from './create-target.js';
import type { DoctorOptions } from './doctor-options.js';

/** Examines a server from the command line. */
export async function examine(options: DoctorOptions): Promise<Examination> {
  const checks = options.isForProduction === true ? [...CHECKS, ...PRODUCTION_CHECKS] : CHECKS;
  const examination = await examineTarget(createTarget(options), checks);
  const last = examination.findings.at(-1);
  const isOverSse = last?.id === 'path' && last.status === 'warning';
  return isOverSse
    ? { ...examination, findings: [...examination.findings, ...(await examineOverSse(options))] }
    : examination;
}

/** Examines what needs no transport in particular. */
async function examineOverSse(options: DoctorOptions): Promise<readonly Finding[]> {
  const wire = new ChannelWire(await loadSseChannels(options), options.timeoutMs);
  try {
    return (await examineTarget(createTarget(options, wire), WITHOUT_URL)).findings;
  } finally {
    await wire.close();
  }
}
