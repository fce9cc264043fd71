import type { RequestProof } from '../../lib/client/authorization/index.js';
import { findUrl } from '../../lib/core/oauth/secure-url.js';
import type { Terminal } from '../command.interface.js';
import { flagOption, listOption, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { parseStarted, splitCommand, STARTED_OPTIONS, type StartedServer } from '../server/called-server.js';
import { HEADER_OPTIONS, readHeaders } from '../server/parse-header.js';
import { parseOnlyEndpoint } from '../server/parse-endpoint.js';
import { parseTimeout, type TimeoutLimits } from '../server/parse-timeout.js';
import { parseUrlOrFile, type AllowedOptions } from '../server/parse-url-or-file.js';
import { readAccessToken } from '../server/read-access-token.js';
import { LENIENCY_OPTIONS, parseHost, TOKEN_OPTIONS, type ServerValues } from '../server/server-options.js';
import { UsageError } from '../usage.error.js';

/** An examination's options. */
export interface DoctorOptions {
  /** The endpoint. */
  readonly url: URL;
  /** The URL that clients use. @default `url` */
  readonly publicUrl?: URL | undefined;
  /** An access token. */
  readonly token: string | undefined;
  /** Whether it belongs to the stored login. @default false */
  readonly isTokenStored?: boolean;
  /** Builds the DPoP proof for each request. @default the token is not bound to a key */
  readonly proof?: RequestProof | undefined;
  /** Relaxed checks for the authorization servers that refresh the stored login. @default none */
  readonly leniency?: Pick<ServerValues, 'insecure-host' | 'ignore-issuer-slash'>;
  /** Whether to print JSON. */
  readonly json: boolean;
  /** Each response's timeout in milliseconds. */
  readonly timeoutMs: number;
  /** Sent to the endpoint with every request. */
  readonly headers: { readonly [name: string]: string };
  /** The origin of the web page that must be able to call the server. */
  readonly origin: string;
  /** Whether to also run the production checks. @default false */
  readonly isForProduction?: boolean;
  /** The paths of the health probes for these checks. @default the paths in docs/health.md */
  readonly probes?: readonly string[];
}

/** An application whose settings are examined. */
export interface ModuleOptions {
  /** The application's file, and its export's name after `#`. */
  readonly module: string;
  readonly json: boolean;
}

/** A server that the doctor starts. */
export interface ProcessOptions {
  readonly started: StartedServer;
  readonly json: boolean;
}

const TIMEOUT: TimeoutLimits = { usualMs: 10_000, longestMs: 120_000 };

/** The origin of the MCP Inspector, the page that most developers try first. */
const INSPECTOR_ORIGIN = 'http://localhost:6274';

const FILE_OPTIONS = {
  json: flagOption('Print an array of { id, status, found, fix } as JSON'),
  production: flagOption(
    'Also check what matters in production; with a file such as dist/app.module.js, check the settings of its app',
  ),
};

/** The options that `--help` lists. */
export const DOCTOR_OPTIONS = {
  ...FILE_OPTIONS,
  timeout: valueOption('<ms>', 'Timeout for each response', '10000'),
  probe: listOption('<path>', 'Path of a health check, for --production', '/live and /ready'),
  'public-url': valueOption('<url>', 'URL that clients use, if it differs from the one that is examined'),
  origin: valueOption(
    '<origin>',
    'Origin of a web page that must be allowed to call the server',
    `${INSPECTOR_ORIGIN}, the MCP Inspector`,
  ),
  ...TOKEN_OPTIONS,
  ...HEADER_OPTIONS,
  ...LENIENCY_OPTIONS,
  ...STARTED_OPTIONS,
};

/** The options that apply to a stdio server. */
const OF_PROCESSES: readonly string[] = [...Object.keys(STARTED_OPTIONS), 'json', 'timeout'];

const ALLOWED_OPTIONS: AllowedOptions = {
  ofUrls: Object.keys(DOCTOR_OPTIONS),
  ofFiles: Object.keys(FILE_OPTIONS),
};

/**
 * Reads the arguments; a token or a header may be in the environment.
 *
 * @throws {UsageError} if they are invalid
 */
export function parseDoctorOptions(
  args: readonly string[],
  environment: Terminal['environment'],
): DoctorOptions | ModuleOptions | ProcessOptions {
  const { own, command } = splitCommand(args);
  const { values, positionals } = parseArguments(own, DOCTOR_OPTIONS);
  if (command !== undefined) return parseProcess(positionals, command, values, environment);
  const ofProcess = (['env', 'cwd'] as const).find((name) => values[name] !== undefined);
  if (ofProcess !== undefined)
    throw new UsageError(`"--${ofProcess}" applies only to a server that the command after "--" starts`);
  const { json = false, production = false, origin = INSPECTOR_ORIGIN, probe = [] } = values;
  const [target = ''] = positionals;
  if (production && (isFile(target) || target === ''))
    return { module: parseUrlOrFile(positionals, values, ALLOWED_OPTIONS), json };
  if (isScript(target)) {
    throw new UsageError('To examine the settings of an app, pass "--production" with its file');
  }
  const url = parseOnlyEndpoint(positionals);
  const { headers } = readHeaders(values, environment);
  return {
    url,
    publicUrl: parsePublicUrl(values['public-url']),
    token: readAccessToken({ token: values.token, tokenVariable: values['token-env'], headers }, environment),
    leniency: {
      'insecure-host': (values['insecure-host'] ?? []).map(parseHost),
      'ignore-issuer-slash': values['ignore-issuer-slash'],
    },
    json,
    timeoutMs: parseTimeout(values.timeout, TIMEOUT),
    headers,
    origin: parseOrigin(origin),
    isForProduction: production,
    probes: probe.map(parseProbe),
  };
}

function parseProcess(
  positionals: readonly string[],
  command: readonly string[],
  values: ReturnType<typeof parseArguments<typeof DOCTOR_OPTIONS>>['values'],
  environment: Terminal['environment'],
): ProcessOptions {
  const misplaced = Object.keys(values).find((name) => !OF_PROCESSES.includes(name));
  if (misplaced !== undefined) throw new UsageError(`"--${misplaced}" applies only to a server at a URL`);
  if (positionals.length > 0)
    throw new UsageError('Expected one server: its URL, or "--" and the command that starts it');
  const { timeout, json = false, ...others } = values;
  const started = parseStarted(command, { env: others.env, cwd: others.cwd }, environment);
  return { started: { ...started, timeoutMs: parseTimeout(timeout, TIMEOUT) }, json };
}

/** An argument with a scheme, or a missing argument, is treated as a URL, whose error message explains valid URLs. */
function isFile(target: string): boolean {
  return target !== '' && !/^[a-z]+:/i.test(target);
}

function isScript(target: string): boolean {
  return isFile(target) && /\.[cm]?[jt]s(?:#|$)/.test(target);
}

function parsePublicUrl(text: string | undefined): URL | undefined {
  const url = text === undefined ? undefined : findUrl(text);
  if (text === undefined || url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new UsageError('"--public-url" must be a URL such as "https://shop.example.com/mcp"');
}

function parseProbe(path: string): string {
  if (path.startsWith('/')) return path;
  throw new UsageError('"--probe" must be a path such as "/ready"');
}

function parseOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin === text) return origin;
  throw new UsageError('"--origin" must be an origin such as "https://app.example.com"');
}
