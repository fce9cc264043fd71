import type { Terminal } from '../command.interface.js';
import { parseArguments } from '../parse-arguments.js';
import { parseOnlyEndpoint } from '../server/parse-endpoint.js';
import { parseTimeout, type TimeoutBounds } from '../server/parse-timeout.js';
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

const TIMEOUT: TimeoutBounds = { usualMs: 10_000, longestMs: 120_000 };

/** Where the MCP Inspector runs, the page that most developers try first. */
const INSPECTOR_ORIGIN = 'http://localhost:6274';

const OPTIONS = {
  token: { type: 'string' },
  json: { type: 'boolean', default: false },
  timeout: { type: 'string' },
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
  const { values, positionals } = parseArguments(args, OPTIONS);
  const url = parseOnlyEndpoint(positionals);
  return {
    url,
    token: parseToken(values.token, environment),
    json: values.json,
    timeoutMs: parseTimeout(values.timeout, TIMEOUT),
    headers: Object.fromEntries(values.header.map(parseHeader)),
    origin: parseOrigin(values.origin),
  };
}

const TOKEN_VARIABLE = 'MCP_TOKEN';

function parseToken(given: string | undefined, environment: Terminal['environment']): string | undefined {
  const text = given ?? environment[TOKEN_VARIABLE] ?? '';
  if (text === '') return undefined;
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  const source = given === undefined ? TOKEN_VARIABLE : '--token';
  throw new UsageError(`"${source}" must be visible ASCII without spaces: give the token without its scheme`);
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
