import type { ServerCapabilities } from '@modelcontextprotocol/client';
import { TASKS_EXTENSION } from '../../client/tasks/task-answer.js';

/** The extensions that the page has areas for, by the names under which servers declare them. */
const IDS = {
  tasks: TASKS_EXTENSION,
  events: 'io.modelcontextprotocol/events',
  skills: 'io.modelcontextprotocol/skills',
} as const;

export type KnownExtension = keyof typeof IDS;

/** Tells whether a server declares an extension to this client, in this revision. */
export function declares({ extensions = {} }: ServerCapabilities, extension: KnownExtension): boolean {
  return Object.hasOwn(extensions, IDS[extension]);
}
