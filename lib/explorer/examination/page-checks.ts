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
import { ok } from '../../core/doctor/finding.js';
import { judgePlainHttp } from '../../core/doctor/judge-plain-http.js';

/** A certificate is shown to nobody: the browser has taken it. */
const TLS_CHECK: Check = {
  id: 'tls',
  run: async (target) =>
    target.url.protocol === 'http:' ? judgePlainHttp(target) : ok('The browser takes the certificate'),
};

/** The checks of the doctor that a page can make, in the order of the command line. */
export const PAGE_CHECKS: readonly Check[] = [
  TLS_CHECK,
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
  ...CARD_CHECKS,
];
