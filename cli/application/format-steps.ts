/** A command to run next, with its purpose. */
export type Step = readonly [command: string, purpose?: string];

/** Longer commands do not widen the column: their purpose follows directly. */
const WIDEST = 60;

/** Lists the commands to run next, with their purposes in one column. */
export function formatSteps(steps: readonly Step[]): string {
  const lengths = steps.map(([command, purpose]) => (purpose === undefined ? 0 : command.length));
  const width = Math.max(0, ...lengths.filter((length) => length <= WIDEST));
  const lines = steps.map(([command, purpose]) =>
    purpose === undefined ? `  ${command}` : `  ${command.padEnd(width)}    # ${purpose}`,
  );
  return ['Next:', ...lines].join('\n');
}
