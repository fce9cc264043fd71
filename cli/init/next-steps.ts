import { formatSteps, type Step } from '../application/format-steps.js';
import type { PackageManager } from '../dev/package-manager.js';
import type { ApplicationStart } from './application-start.js';

/** The facts that the next steps after `init` depend on. */
export interface NextSteps {
  readonly manager: PackageManager;
  /** The URL of the server. */
  readonly endpoint: string;
  /** The script that starts the application. */
  readonly script: string;
  /** Whether packages were added that are not installed yet. */
  readonly installs: boolean;
  /** Whether the server is new, and therefore requires no token. */
  readonly addsServer: boolean;
  readonly start: ApplicationStart;
}

/** Formats the next steps after `init`. */
export function formatNextSteps(next: NextSteps): string {
  const { manager, endpoint, script, installs, addsServer } = next;
  const steps: readonly Step[] = [
    ...(installs ? ([[`${manager} install`]] as const) : []),
    [`${manager} run ${script}`, `then open ${endpoint} in a browser`],
    ['npx nest g -c nestjs-mcp-cli tool book', 'another handler, with its test'],
    [`${manager} run mcp:doctor`, `looks at ${endpoint} as a client would`],
    [`${manager} run mcp:inspect`, 'the official inspector, in a browser; made for Node 22.19 or newer'],
  ];
  return ['', formatSteps(steps), ...(addsServer ? ['', ...explainOpen(next)] : [])].join('\n');
}

/** A server that others reach says the same when it starts, as a warning. */
function explainOpen({ start: { path, expression, byObject, isOnLoopback } }: NextSteps): readonly string[] {
  if (isOnLoopback) return ['The server is open, and listens on this machine alone.'];
  const own = byObject ? `{ port: ${expression}, host: '127.0.0.1' }` : `${expression}, '127.0.0.1'`;
  return [
    'The server is open: it warns at its start that it has no authentication. That is fine while you try it. Before others',
    `reach this machine, give "auth" in the options of the module, or listen on 127.0.0.1 alone, in ${path}:`,
    `  await app.listen(${own});`,
  ];
}

/** Says what of the endpoint cannot be read from sources, or differs from the application's routes. */
export function explainEndpoint(start: ApplicationStart, endpoint: string): readonly string[] {
  const { path, expression, port, portFile, prefix } = start;
  const { port: used, pathname } = new URL(endpoint);
  const scripts = 'the scripts "mcp:doctor" and "mcp:inspect"';
  return [
    ...(port === undefined
      ? [
          `The port is not in "${path}", which listens on "${expression}": ${scripts} have ${used}, so set yours there`,
        ]
      : []),
    ...(portFile === undefined
      ? []
      : [`The port ${used} is that of "${portFile}": if your settings have another one, change ${scripts}`]),
    ...(prefix === undefined || pathname !== '/mcp'
      ? []
      : [`The global prefix ${prefix} is not part of the endpoint, ${endpoint}: "useGlobalPrefix" adds it`]),
  ];
}
