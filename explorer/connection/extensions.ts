import type { ServerCapabilities } from '@modelcontextprotocol/client';
import { EVENTS_EXTENSION, TASKS_EXTENSION } from '../../lib/core/protocol/meta-keys.js';
import { SKILLS_EXTENSION } from '../../lib/core/skills/skill.js';

/** The extensions for which the page has panels, with the names that servers declare. */
const IDS = {
  tasks: TASKS_EXTENSION,
  events: EVENTS_EXTENSION,
  skills: SKILLS_EXTENSION,
} as const;

export type KnownExtension = keyof typeof IDS;

/** Returns whether a server declares an extension to this client, in this revision. */
export function declares({ extensions = {} }: ServerCapabilities, extension: KnownExtension): boolean {
  return Object.hasOwn(extensions, IDS[extension]);
}
