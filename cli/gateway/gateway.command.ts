import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DynamicModule, LoggerService } from '@nestjs/common';
import type * as NestCore from '@nestjs/core';
import type * as Express from '@nestjs/platform-express';
import type * as Gateway from '../../lib/gateway/index.js';
import type * as Entry from '../../lib/index.js';
import { isPackageMissing } from '../../lib/core/package/missing-package.js';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import { explainConfiguration } from '../clients/change-configuration.js';
import { ConfigurationError } from '../clients/configuration-file.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { formatHelp, type Help } from '../help.js';
import { runSafely, type Failure } from '../run-safely.js';
import { UsageError } from '../usage.error.js';
import { makeVisible } from '../visible-text.js';
import { GATEWAY_OPTIONS, parseGatewayOptions, type HttpAddress } from './gateway-options.js';
import { readServers } from './read-servers.js';

const HELP: Help = {
  usage: ['gateway <file> [options]'],
  description:
    'Serve the MCP servers in a configuration file as one server, over HTTP or stdio. The file has the format of MCP clients, with the servers in "mcpServers". The command requires the packages of a Nest server, and names them if any is missing. Press Ctrl-C to stop.',
  operands: { '<file>': 'Configuration file, such as .mcp.json or claude_desktop_config.json' },
  options: GATEWAY_OPTIONS,
  exitCodes: {
    0: 'The gateway was stopped, or its input has ended',
    1: 'The file is invalid, or the gateway cannot listen at the address',
    2: 'Invalid usage, or missing packages',
  },
};

/** Serves the servers of a configuration file: `nestjs-mcp-cli gateway <file>`. */
export const gatewayCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainFailure }, () =>
      runGateway(args, terminal),
    ),
};

async function runGateway(args: readonly string[], terminal: Terminal): Promise<number> {
  const { file, http } = parseGatewayOptions(args, terminal.environment);
  try {
    const { servers } = await readServers(file, terminal.environment);
    const packages = await loadPackages();
    const module = buildModule(packages, servers, http?.token);
    const nest = { logger: createLogger(terminal), abortOnError: false };
    if (http === undefined) await packages.entry.McpStdio.run(module, { nest });
    else await serveHttp(packages, { module, nest, http, terminal });
    return ExitCode.success;
  } catch (error) {
    throw nameFile(file, error);
  }
}

/** The packages that a gateway runs on. */
interface GatewayPackages {
  readonly core: typeof NestCore;
  readonly express: typeof Express;
  readonly entry: typeof Entry;
  readonly gateway: typeof Gateway;
}

/** The packages that a server with a gateway needs, and that the command line does not install. */
const NEEDED = [
  'nestjs-mcp',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@modelcontextprotocol/client',
  'reflect-metadata',
  'rxjs',
];

/**
 * Loads the packages of this folder, or those next to the command line. All are resolved from the server's package, so that
 * they are the copies that it imports.
 */
async function loadPackages(): Promise<GatewayPackages> {
  const server = resolveFirst('nestjs-mcp', [join(process.cwd(), 'package.json'), import.meta.url]);
  for (const name of NEEDED) resolveFirst(name, [server]);
  const { resolve } = createRequire(server);
  const load = (id: string): Promise<unknown> => import(pathToFileURL(resolve(id)).href);
  return {
    core: (await load('@nestjs/core')) as typeof NestCore,
    express: (await load('@nestjs/platform-express')) as typeof Express,
    entry: (await load('nestjs-mcp')) as typeof Entry,
    gateway: (await load('nestjs-mcp/gateway')) as typeof Gateway,
  };
}

/** @throws {UsageError} if a package is not installed */
function resolveFirst(name: string, importers: readonly string[]): string {
  for (const importer of importers) {
    try {
      return createRequire(importer).resolve(name);
    } catch (cause) {
      // Some packages can only be imported, not required.
      if (!isPackageMissing(name, cause)) return importer;
    }
  }
  throw new UsageError(`The gateway needs the package "${name}": run "npm install ${NEEDED.join(' ')}"`);
}

/** @throws {Error} if the options of a server are invalid */
function buildModule(
  { entry, gateway }: GatewayPackages,
  servers: Gateway.GatewayOptions['servers'],
  token: string | undefined,
): DynamicModule {
  const serverInfo = { name: 'gateway', version: readOwnPackage().version };
  const auth = token === undefined ? {} : { auth: { bearer: token } };
  return {
    module: class GatewayApplication {},
    imports: [
      entry.McpModule.forRoot({ serverInfo, ...auth }),
      gateway.McpGatewayModule.forRoot({ servers }),
    ],
  };
}

interface HttpApplication {
  readonly module: DynamicModule;
  readonly nest: { readonly logger: LoggerService; readonly abortOnError: boolean };
  readonly http: HttpAddress;
  readonly terminal: Terminal;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Serves over HTTP until a signal arrives. A second signal of the same kind ends the process immediately. */
async function serveHttp(
  { core, express }: GatewayPackages,
  { module, nest, http: { port, host }, terminal }: HttpApplication,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
  const options = { ...nest, forceCloseConnections: true };
  const app = await core.NestFactory.create(module, new express.ExpressAdapter(), options);
  try {
    await app.listen(port, host);
    terminal.print(`The gateway serves MCP at ${new URL('/mcp', await app.getUrl()).href}`);
    await stopped;
  } finally {
    await app.close();
  }
}

/** The lines of the gateway about its servers, and warnings and errors of everything else. */
function createLogger(terminal: Terminal): LoggerService {
  const complain = (line: unknown): void => terminal.complain(makeVisible(String(line)));
  return {
    log: (line: unknown, context?: unknown) => {
      if (context === 'McpGateway') complain(line);
    },
    warn: complain,
    error: (line: unknown, ...details: readonly unknown[]) => {
      // This command explains why the application cannot start.
      if (details.at(-1) !== 'ExceptionHandler') complain(line);
    },
    fatal: complain,
  };
}

/** Names the file, and its property instead of the option that it becomes. */
function nameFile(file: string, error: unknown): unknown {
  const { message, option } = error as { readonly message?: unknown; readonly option?: unknown };
  const path = makeVisible(file);
  if (error instanceof ConfigurationError)
    return new ConfigurationError(`${path}: ${makeVisible(error.message)}`);
  // Another copy of the package has its own error classes.
  if (typeof option !== 'string') return error;
  if (!option.startsWith(SERVERS)) return new ConfigurationError(String(message));
  const [, problem = ''] = String(message).split(`"${SERVERS}`);
  return new ConfigurationError(`${path}: "${makeVisible(problem)}`);
}

const SERVERS = 'gateway.servers.';

function explainFailure(error: unknown): Failure | undefined {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return explainConfiguration(error);
  return {
    exitCode: ExitCode.failure,
    message: `The gateway cannot listen at the address (${String(code)}): choose another "--port" or "--host"`,
  };
}
