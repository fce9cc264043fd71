import type { Check } from './check.interface.js';
import { ANSWER_CHECKS } from './checks/answer.checks.js';
import { APP_CHECKS } from './checks/app.checks.js';
import { CARD_CHECKS } from './checks/card.checks.js';
import { CATALOGUE_CHECKS } from './checks/catalogue.checks.js';
import { CHALLENGE_CHECKS } from './checks/challenge.checks.js';
import { CLOCK_CHECKS } from './checks/clock.checks.js';
import { CONNECTION_CHECKS } from './checks/connection.checks.js';
import { CORS_CHECKS } from './checks/cors.checks.js';
import { DPOP_CHECKS } from './checks/dpop.checks.js';
import { EVENTS_CHECKS } from './checks/events.checks.js';
import { EXTENSION_CHECKS } from './checks/extension.checks.js';
import { ORIGIN_CHECKS } from './checks/origin.checks.js';
import { RESOURCE_METADATA_CHECKS } from './checks/resource-metadata.checks.js';
import { REVISION_CHECKS } from './checks/revision.checks.js';
import { SERVER_METADATA_CHECKS } from './checks/server-metadata.checks.js';
import { SESSION_CHECKS, SESSION_END_CHECKS } from './checks/session.checks.js';
import { SKILLS_CHECKS } from './checks/skills.checks.js';
import { STREAM_CHECKS } from './checks/stream.checks.js';
import { TOKEN_CHECKS } from './checks/token.checks.js';

/** Every check, in the order in which they are made. */
export const CHECKS: readonly Check[] = [
  ...CONNECTION_CHECKS,
  ...ANSWER_CHECKS,
  ...CHALLENGE_CHECKS,
  ...RESOURCE_METADATA_CHECKS,
  ...SERVER_METADATA_CHECKS,
  ...DPOP_CHECKS,
  ...CLOCK_CHECKS,
  ...TOKEN_CHECKS,
  ...REVISION_CHECKS,
  ...SESSION_CHECKS,
  ...CATALOGUE_CHECKS,
  ...EXTENSION_CHECKS,
  ...SKILLS_CHECKS,
  ...APP_CHECKS,
  ...EVENTS_CHECKS,
  ...STREAM_CHECKS,
  ...SESSION_END_CHECKS,
  ...ORIGIN_CHECKS,
  ...CORS_CHECKS,
  ...CARD_CHECKS,
];
