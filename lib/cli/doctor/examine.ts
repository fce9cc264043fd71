import { examinePatient, type Examination } from '../../core/doctor/examine-patient.js';
import { CHECKS } from './checks.js';
import { PRODUCTION_CHECKS } from './checks/production.checks.js';
import { createPatient } from './create-patient.js';
import type { DoctorOptions } from './doctor-options.js';

/** Examines a server from the command line. */
export function examine(options: DoctorOptions): Promise<Examination> {
  const checks = options.isForProduction === true ? [...CHECKS, ...PRODUCTION_CHECKS] : CHECKS;
  return examinePatient(createPatient(options), checks);
}
