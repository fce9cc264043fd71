import { parseArgs } from 'node:util';
import type { Terminal } from '../command.interface.js';
import { explainArguments } from '../explain-arguments.js';
import { parseEndpoint } from '../server/parse-endpoint.js';
import { UsageError } from '../usage.error.js';

/** What the doctor is asked to do. */
export interface DoctorOptions {
  /** The endpoint. */
  readonly url: URL;
  /** An access token. */
  readonly token: string | undefined;
  /** Whether to print JSON. */
  readonly json: boolean;
  /** Milliseconds that each answer may take. */
  readonly timeoutMs: number;
  /** Sent to the endpoint with every request. */
  readonly headers: { readonly [name: string]: string };
  /** Where the web page is that shall be able to call. */
  readonly origin: string;
}

const DEFAULT_TIMEOUT = '10000';
const LONGEST_TIMEOUT_MS = 120_000;

/** Where the MCP Inspector runs, the page that most developers try first. */
const INSPECTOR_ORIGIN = 'http://localhost:6274';

const OPTIONS = {
  token: { type: 'string' },
  json: { type: 'boolean', default: false },
  timeout: { type: 'string', default: DEFAULT_TIMEOUT },
  header: { type: 'string', multiple: true, default: [] as string[] },
  origin: { type: 'string', default: INSPECTOR_ORIGIN },
} as const;

/**
 * Reads the arguments; what they leave out may stand in the environment.
 *
 * @throws {UsageError} where they ask for nothing that can be done
 */
export function parseDoctorOptions(
  args: readonly string[],
  environment: Terminal['environment'],
): DoctorOptions {
  const { values, positionals } = readArguments(args);
  const [url, ...others] = positionals;
  if (url === undefined || others.length > 0)
    throw new UsageError('One URL was expected: that of the endpoint');
  const token = values.token ?? environment['MCP_TOKEN'];
  return {
    url: parseEndpoint(url),
    token: token === undefined || token === '' ? undefined : parseToken(token),
    json: values.json,
    timeoutMs: parseTimeout(values.timeout),
    headers: Object.fromEntries(values.header.map(parseHeader)),
    origin: parseOrigin(values.origin),
  };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    const refused = { args, options: OPTIONS, otherwise: 'An option lacks its value' };
    throw new UsageError(explainArguments(cause, refused), { cause });
  }
}

function parseToken(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new UsageError('"--token" must be visible ASCII without spaces: give the token without its scheme');
}

function parseTimeout(text: string): number {
  const timeoutMs = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS) return timeoutMs;
  throw new UsageError(`"--timeout" must be milliseconds between 1 and ${LONGEST_TIMEOUT_MS}`);
}

function parseHeader(text: string): readonly [name: string, value: string] {
  const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e]*)$/.exec(text);
  if (match === null) throw new UsageError('"--header" must be of the form "Name: value", in ASCII');
  return [String(match[1]).toLowerCase(), String(match[2]).trim()];
}

function parseOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin === text) return origin;
  throw new UsageError('"--origin" must be an origin such as "https://app.example.com"');
}
