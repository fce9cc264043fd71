import { isLoopbackHost } from '../../lib/core/oauth/secure-url.js';
import type { Terminal } from '../command.interface.js';
import { flagOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { readVariable } from '../server/read-variable.js';
import { UsageError } from '../usage.error.js';

/** The address that the gateway listens on. */
export interface HttpAddress {
  /** 0 lets the system choose a free port. */
  readonly port: number;
  readonly host: string;
  /** The token that clients must send; absent if they need none. */
  readonly token: string | undefined;
}

/** The command's options. */
export interface GatewayCommandOptions {
  /** The configuration file. */
  readonly file: string;
  /** Absent to serve over standard input and output. */
  readonly http: HttpAddress | undefined;
}

/** The options that `--help` lists. */
export const GATEWAY_OPTIONS = {
  port: valueOption('<number>', 'Port to listen on', 'a free port'),
  host: valueOption(
    '<address>',
    'Address to listen on; outside of this machine, --token-env is required',
    '127.0.0.1',
  ),
  'token-env': valueOption('<name>', 'Environment variable that contains the token that clients must send'),
  stdio: flagOption('Serve one client over standard input and output'),
};

/**
 * Reads the command's arguments.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseGatewayOptions(
  args: readonly string[],
  environment: Terminal['environment'],
): GatewayCommandOptions {
  const { values, positionals } = parseArguments(args, GATEWAY_OPTIONS);
  const [file, ...others] = positionals;
  if (file === undefined) throw new UsageError('Missing argument: the configuration file');
  if (others.length > 0) throw new UsageError('Too many arguments: expected only the configuration file');
  const { stdio = false, port, host = '127.0.0.1', 'token-env': variable } = values;
  if (!stdio) {
    const token = variable === undefined ? undefined : readVariable('token-env', variable, environment);
    assertProtected(host, token);
    return { file, http: { port: parsePort(port), host, token } };
  }
  const excess = (['port', 'host', 'token-env'] as const).find((name) => values[name] !== undefined);
  if (excess !== undefined) throw new UsageError(`"--${excess}" does not apply with "--stdio"`);
  return { file, http: undefined };
}

function parsePort(text = '0'): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError('"--port" must be a port number from 0 to 65535; 0 is a free port');
}

/** The gateway sends the secrets of the file to its servers, on behalf of everyone who can reach it. */
function assertProtected(host: string, token: string | undefined): void {
  const name = host.includes(':') ? `[${host}]` : host;
  if (token !== undefined || isLoopbackHost(name)) return;
  throw new UsageError(
    'Outside of this machine, everyone could use the servers of the file: require a token with "--token-env"',
  );
}
