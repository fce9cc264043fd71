import { examineTarget, type Examination } from '../../core/doctor/examine-target.js';
import { CHECKS } from './checks.js';
import { PRODUCTION_CHECKS } from './checks/production.checks.js';
import { createTarget } from './create-target.js';
import type { DoctorOptions } from './doctor-options.js';

/** Examines a server from the command line. */
export function examine(options: DoctorOptions): Promise<Examination> {
  const checks = options.isForProduction === true ? [...CHECKS, ...PRODUCTION_CHECKS] : CHECKS;
  return examineTarget(createTarget(options), checks);
}
