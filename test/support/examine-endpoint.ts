import type { DoctorOptions } from '../../cli/doctor/doctor-options.js';
import { examine } from '../../cli/doctor/doctor.command.js';
import type { Finding, FindingStatus } from '../../lib/core/doctor/finding.js';

/** Gives what the doctor is asked to do at an endpoint if a test says nothing else. */
export function buildDoctorOptions(url: string, others: Partial<DoctorOptions> = {}): DoctorOptions {
  return {
    url: new URL(url),
    token: undefined,
    json: false,
    timeoutMs: 5000,
    headers: {},
    origin: 'http://localhost:6274',
    ...others,
  };
}

/** Examines an endpoint, and gives what was found. */
export async function examineEndpoint(
  url: string,
  others?: Partial<DoctorOptions>,
): Promise<readonly Finding[]> {
  const { findings } = await examine(buildDoctorOptions(url, others));
  return findings;
}

/** Gives the ids of the findings that have one of the statuses. */
export function selectIds(
  findings: readonly Finding[],
  ...statuses: readonly FindingStatus[]
): readonly string[] {
  return findings.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
}
