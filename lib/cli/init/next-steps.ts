import type { PackageManager } from '../dev/package-manager.js';

/** What a developer does with an application that `init` has changed. */
export interface NextSteps {
  readonly manager: PackageManager;
  /** Where the server is going to be. */
  readonly endpoint: string;
  /** The script that starts the application. */
  readonly script: string;
  /** Whether packages were added that are not installed yet. */
  readonly installs: boolean;
  /** Whether the application had no server before: the one that it has got is open. */
  readonly addsServer: boolean;
  /** Whether the application listens on this machine alone. */
  readonly isOnLoopback: boolean;
}

/** Says what comes after `init`. */
export function formatNextSteps(next: NextSteps): string {
  const { manager, endpoint, script, installs, addsServer } = next;
  const steps: readonly (readonly [command: string, purpose?: string])[] = [
    ...(installs ? ([[`${manager} install`]] as const) : []),
    [`${manager} run ${script}`, `then open ${endpoint} in a browser`],
    ['npx nest g -c nestjs-mcp tool book', 'another handler, with its test'],
    [`${manager} run mcp:doctor`, `looks at ${endpoint} as a client would`],
    [`${manager} run mcp:inspect`, 'the official inspector, in a browser; made for Node 22.19 or newer'],
  ];
  const width = Math.max(...steps.map(([command, purpose]) => (purpose === undefined ? 0 : command.length)));
  const lines = steps.map(([command, purpose]) =>
    purpose === undefined ? `  ${command}` : `  ${command.padEnd(width)}    # ${purpose}`,
  );
  return ['', 'Next:', ...lines, ...(addsServer ? ['', ...explainOpen(next)] : [])].join('\n');
}

/** A server that others reach says the same when it starts, as a warning. */
function explainOpen({ endpoint, isOnLoopback }: NextSteps): readonly string[] {
  if (isOnLoopback) return ['The server is open, and listens on this machine alone.'];
  const { port } = new URL(endpoint);
  return [
    'The server is open: it warns at its start that it asks nobody for a token. That is fine while you try it. Before others',
    'reach this machine, give "auth" in the options of the module, or listen on 127.0.0.1 alone, in src/main.ts:',
    `  await app.listen(process.env.PORT ?? ${port === '' ? 80 : port}, '127.0.0.1');`,
  ];
}
