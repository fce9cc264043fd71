const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns whether a tool name follows the published rule (MCP 2025-11-25 server/tools, "Tool Names"). */
export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && TOOL_NAME.test(name);
}

/**
 * Explains what is wrong with a tool name and how to fix it.
 *
 * @returns one sentence, or nothing for a name that {@link isToolName} accepts
 *
 * @example
 * findToolNameProblem('get user');
 * // 'The tool name "get user" has the character " " in it: use letters, digits, "_", "-" and "." alone'
 */
export function findToolNameProblem(name: unknown): string | undefined {
  if (isToolName(name)) return undefined;
  if (typeof name !== 'string') return `A tool name is a string, but this one is of type "${typeof name}"`;
  if (name === '') return 'A tool name is empty: give it 1 to 128 characters';
  const [stray] = name.match(/[^A-Za-z0-9_.-]/u) ?? [];
  if (stray === undefined) {
    return `The tool name "${name.slice(0, 32)}…" has ${name.length} characters: shorten it to 128 at most`;
  }
  const shown = JSON.stringify(name.slice(0, 128));
  return `The tool name ${shown} has the character ${JSON.stringify(stray)} in it: use letters, digits, "_", "-" and "." alone`;
}
