/** A command to run next, and what it is for. */
export type Step = readonly [command: string, purpose?: string];

/** Lists the commands to run next, with their purposes in one column. */
export function formatSteps(steps: readonly Step[]): string {
  const width = Math.max(...steps.map(([command, purpose]) => (purpose === undefined ? 0 : command.length)));
  const lines = steps.map(([command, purpose]) =>
    purpose === undefined ? `  ${command}` : `  ${command.padEnd(width)}    # ${purpose}`,
  );
  return ['Next:', ...lines].join('\n');
}
