import type { JsonSchema, Root } from 'nestjs-mcp';
import { describeRoom, type Room } from './room.js';

/** What the user has chosen. */
export interface Choice {
  readonly room: string;
  readonly project?: string;
}

/** Builds the form with the rooms that are free now: choices with a title of their own are JSON Schema's `oneOf`. */
export function buildChoiceForm(
  free: readonly Room[],
  suggested: Room,
  projects: readonly string[],
): JsonSchema {
  const room = {
    type: 'string',
    title: 'Room',
    oneOf: free.map((one) => ({ const: one.name, title: describeRoom(one) })),
    default: suggested.name,
  };
  const project = { type: 'string', title: 'Project', description: 'Who pays', enum: projects };
  return {
    type: 'object',
    properties: { room, ...(projects.length > 0 && { project }) },
    required: ['room'],
  };
}

/** The folders that are open in the client are, as a rule, the projects its user works on. */
export function nameProjects(roots: readonly Root[]): string[] {
  const names = roots.map(({ name, uri }) => name ?? uri.split('/').at(-1) ?? uri);
  return [...new Set(names)];
}
