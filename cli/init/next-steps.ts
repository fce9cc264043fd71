import { formatSteps, type Step } from '../application/format-steps.js';
import type { PackageManager } from '../dev/package-manager.js';
import type { ApplicationStart } from './application-start.js';

/** The facts that determine the next steps after `init`. */
export interface NextSteps {
  readonly manager: PackageManager;
  /** The server URL. */
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
    ['npx nest g -c nestjs-mcp-cli tool book', 'adds another handler, with its test'],
    [`${manager} run mcp:doctor`, `checks ${endpoint} as a client would`],
    [`${manager} run mcp:inspect`, 'opens the official inspector in a browser; made for Node 22.19 or newer'],
  ];
  return ['', formatSteps(steps), ...(addsServer ? ['', ...explainOpen(next)] : [])].join('\n');
}

/** A server that other machines can reach also logs this as a warning at startup. */
function explainOpen({ start: { path, expression, byObject, isOnLoopback } }: NextSteps): readonly string[] {
  if (isOnLoopback) return ['The server has no authentication, but listens on this machine only.'];
  const own = byObject ? `{ port: ${expression}, host: '127.0.0.1' }` : `${expression}, '127.0.0.1'`;
  return [
    'The server has no authentication, and logs a warning about this at startup. That is fine while you try it out. Before others',
    `can reach this machine, set "auth" in the module options, or listen on 127.0.0.1 only, in ${path}:`,
    `  await app.listen(${own});`,
  ];
}

/** Explains which parts of the endpoint the sources do not reveal, or which differ from the application's routes. */
export function explainEndpoint(start: ApplicationStart, endpoint: string): readonly string[] {
  const { path, expression, port, portFile, prefix } = start;
  const { port: used, pathname } = new URL(endpoint);
  const scripts = 'the scripts "mcp:doctor" and "mcp:inspect"';
  return [
    ...(port === undefined
      ? [
          `"${path}" listens on "${expression}", so the port is not known: ${scripts} use ${used}; replace it there with yours`,
        ]
      : []),
    ...(portFile === undefined
      ? []
      : [
          `The port ${used} was read from "${portFile}": if your settings use a different one, change ${scripts}`,
        ]),
    ...(prefix === undefined || pathname !== '/mcp'
      ? []
      : [
          `The global prefix ${prefix} does not apply to the endpoint, ${endpoint}: set "useGlobalPrefix" to add it`,
        ]),
  ];
}
