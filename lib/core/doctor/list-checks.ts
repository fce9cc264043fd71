import type { Check } from './finding.js';
import { RESPONSE_CHECKS } from './checks/response.checks.js';
import { APP_CHECKS } from './checks/app.checks.js';
import { CARD_CHECKS } from './checks/card.checks.js';
import { CATALOG_CHECKS, EXTENSION_CHECKS } from './checks/catalog.checks.js';
import { CHALLENGE_CHECKS, RESOURCE_METADATA_CHECKS } from './checks/resource-metadata.checks.js';
import { CLOCK_CHECKS } from './checks/clock.checks.js';
import { DPOP_CHECKS } from './checks/dpop.checks.js';
import { EVENTS_CHECKS } from './checks/events.checks.js';
import { REVISION_CHECKS, SESSION_CHECKS, SESSION_END_CHECKS } from './checks/session.checks.js';
import { SERVER_METADATA_CHECKS } from './checks/server-metadata.checks.js';
import { SKILLS_CHECKS } from './checks/skills.checks.js';
import { STREAM_CHECKS } from './checks/stream.checks.js';
import { TOKEN_CHECKS } from './checks/token.checks.js';

/** The checks that only one kind of client runs, or runs in its own way. */
export interface OwnChecks {
  /** How to reach the server. */
  readonly connection?: readonly Check[];
  /** Whether browsers may read metadata. */
  readonly metadataCors?: readonly Check[];
  /** Whether the lists can be read. */
  readonly lists?: readonly Check[];
  readonly skillFiles?: readonly Check[];
  /** The origins that the endpoint allows. */
  readonly origins?: readonly Check[];
}

/**
 * Lists every check for a running server, in the order that they run in.
 *
 * @param own the checks that the command line or the page adds
 * @param hasUrl whether the server has a URL; a server that is started as a command has none
 */
export function listChecks(own: OwnChecks, hasUrl = true): readonly Check[] {
  const { connection = [], metadataCors = [], lists = [], skillFiles = [], origins = [] } = own;
  const ofUrl = (checks: readonly Check[]) => (hasUrl ? checks : []);
  return [
    ...connection,
    ...ofUrl(RESPONSE_CHECKS),
    ...ofUrl(CHALLENGE_CHECKS),
    ...ofUrl(RESOURCE_METADATA_CHECKS),
    ...metadataCors,
    ...ofUrl(SERVER_METADATA_CHECKS),
    ...ofUrl(DPOP_CHECKS),
    ...ofUrl(CLOCK_CHECKS),
    ...ofUrl(TOKEN_CHECKS),
    ...REVISION_CHECKS,
    ...ofUrl(SESSION_CHECKS),
    ...lists,
    ...CATALOG_CHECKS,
    ...EXTENSION_CHECKS,
    ...SKILLS_CHECKS,
    ...skillFiles,
    ...APP_CHECKS,
    ...EVENTS_CHECKS,
    ...ofUrl(STREAM_CHECKS),
    ...ofUrl(SESSION_END_CHECKS),
    ...origins,
    ...ofUrl(CARD_CHECKS),
  ];
}
