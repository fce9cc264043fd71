import type { Check } from '../../lib/core/doctor/finding.js';
import { listChecks } from '../../lib/core/doctor/list-checks.js';
import { CONNECTION_CHECKS } from './checks/connection.checks.js';
import { CORS_CHECKS, METADATA_CORS_CHECKS } from './checks/cors.checks.js';
import { ORIGIN_CHECKS } from './checks/origin.checks.js';
import { SKILL_FILES_CHECKS } from './checks/skill-files.checks.js';

/** All checks for a server at a URL, in the order in which they run. */
export const CHECKS: readonly Check[] = listChecks({
  connection: CONNECTION_CHECKS,
  metadataCors: METADATA_CORS_CHECKS,
  skillFiles: SKILL_FILES_CHECKS,
  origins: [...ORIGIN_CHECKS, ...CORS_CHECKS],
});
