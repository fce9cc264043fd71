import type { Check } from '../../core/doctor/check.interface.js';
import { ANSWER_CHECKS } from '../../core/doctor/checks/answer.checks.js';
import { APP_CHECKS } from '../../core/doctor/checks/app.checks.js';
import { CARD_CHECKS } from '../../core/doctor/checks/card.checks.js';
import { CATALOGUE_CHECKS } from '../../core/doctor/checks/catalogue.checks.js';
import { CHALLENGE_CHECKS } from '../../core/doctor/checks/challenge.checks.js';
import { CLOCK_CHECKS } from '../../core/doctor/checks/clock.checks.js';
import { DPOP_CHECKS } from '../../core/doctor/checks/dpop.checks.js';
import { EVENTS_CHECKS } from '../../core/doctor/checks/events.checks.js';
import { EXTENSION_CHECKS } from '../../core/doctor/checks/extension.checks.js';
import { RESOURCE_METADATA_CHECKS } from '../../core/doctor/checks/resource-metadata.checks.js';
import { REVISION_CHECKS } from '../../core/doctor/checks/revision.checks.js';
import { SERVER_METADATA_CHECKS } from '../../core/doctor/checks/server-metadata.checks.js';
import { SESSION_CHECKS, SESSION_END_CHECKS } from '../../core/doctor/checks/session.checks.js';
import { SKILLS_CHECKS } from '../../core/doctor/checks/skills.checks.js';
import { STREAM_CHECKS } from '../../core/doctor/checks/stream.checks.js';
import { TOKEN_CHECKS } from '../../core/doctor/checks/token.checks.js';
import { CONNECTION_CHECKS } from './checks/connection.checks.js';
import { CORS_CHECKS, METADATA_CORS_CHECKS } from './checks/cors.checks.js';
import { ORIGIN_CHECKS } from './checks/origin.checks.js';
import { SKILL_FILES_CHECKS } from './checks/skill-files.checks.js';

/** Every check, in the order in which they are made. */
export const CHECKS: readonly Check[] = [
  ...CONNECTION_CHECKS,
  ...ANSWER_CHECKS,
  ...CHALLENGE_CHECKS,
  ...RESOURCE_METADATA_CHECKS,
  ...METADATA_CORS_CHECKS,
  ...SERVER_METADATA_CHECKS,
  ...DPOP_CHECKS,
  ...CLOCK_CHECKS,
  ...TOKEN_CHECKS,
  ...REVISION_CHECKS,
  ...SESSION_CHECKS,
  ...CATALOGUE_CHECKS,
  ...EXTENSION_CHECKS,
  ...SKILLS_CHECKS,
  ...SKILL_FILES_CHECKS,
  ...APP_CHECKS,
  ...EVENTS_CHECKS,
  ...STREAM_CHECKS,
  ...SESSION_END_CHECKS,
  ...ORIGIN_CHECKS,
  ...CORS_CHECKS,
  ...CARD_CHECKS,
];
