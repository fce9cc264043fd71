import type { Project } from '../application/project.interface.js';
import type { Release } from './counterparts/counterpart.interface.js';
import { THEIR_PACKAGE } from './counterparts/exported-names.js';

/** What only release 2 has. */
const OF_SECOND = /\b(?:McpStrategy|McpController|MCP_STRATEGY|McpHttpControllerFor)\b/;

/** Tells which release a project has: by its sources, else by its dependencies. */
export function findRelease(
  texts: readonly string[],
  { project, range }: { readonly project: Pick<Project, 'findVersion'>; readonly range: string | undefined },
): Release {
  const users = texts.filter((text) => text.includes(THEIR_PACKAGE));
  if (users.some((text) => OF_SECOND.test(text))) return 2;
  if (users.some((text) => /\bMcpModule\b/.test(text))) return 1;
  const version = project.findVersion(THEIR_PACKAGE) ?? range ?? '';
  return /^\D*([2-9]|\d{2})/.test(version) ? 2 : 1;
}
