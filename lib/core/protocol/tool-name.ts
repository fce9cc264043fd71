const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns whether a tool name follows the published rule (MCP 2025-11-25 server/tools, "Tool Names"). */
export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && TOOL_NAME.test(name);
}

/**
 * Explains the problem with a tool name and how to fix it.
 *
 * @returns one sentence, or `undefined` for a name that {@link isToolName} accepts
 *
 * @example
 * findToolNameProblem('get user');
 * // 'The tool name "get user" contains the character " " : use only letters, digits, "_", "-" and "."'
 */
export function findToolNameProblem(name: unknown): string | undefined {
  if (isToolName(name)) return undefined;
  if (typeof name !== 'string')
    return `A tool name must be a string, but this one has the type "${typeof name}"`;
  if (name === '') return 'A tool name is empty: use 1 to 128 characters';
  const [stray] = name.match(/[^A-Za-z0-9_.-]/u) ?? [];
  if (stray === undefined) {
    return `The tool name "${name.slice(0, 32)}…" has ${name.length} characters: shorten it to at most 128`;
  }
  const shown = JSON.stringify(name.slice(0, 128));
  return `The tool name ${shown} contains the character ${JSON.stringify(stray)}: use only letters, digits, "_", "-" and "."`;
}
