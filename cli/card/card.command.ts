import {
  LONGEST_BODY_BYTES,
  ProbeError,
  type ProbeResponse,
} from '../../lib/core/doctor/probe/probe-wire.js';
import { parseJsonObject } from '../../lib/core/protocol/json-rpc.js';
import { buildCardUrl, CARD_MEDIA_TYPE } from '../../lib/core/protocol/server-card.js';
import { ExitCode, type Command, type Terminal } from '../command.interface.js';
import { sendProbe } from '../doctor/probe/http-probe.js';
import { readModuleReport } from '../module/module-report.js';
import { formatHelp, type Help, valueOption } from '../help.js';
import { parseArguments } from '../parse-arguments.js';
import { runSafely, type Failure } from '../run-safely.js';
import { selectServer } from '../server-json/select-server.js';
import { addFix } from '../server/explain-failure.js';
import { type GivenHeaders, HEADER_OPTIONS, readHeaders } from '../server/parse-header.js';
import { parseEndpoint } from '../server/parse-endpoint.js';
import { isUrl, parseUrlOrFile, type AllowedOptions } from '../server/parse-url-or-file.js';
import { parseTimeout, type TimeoutLimits } from '../server/parse-timeout.js';
import { formatVisibleJson } from '../visible-text.js';

/** Thrown if a running server does not serve a card. */
class CardMissingError extends Error {
  override readonly name = 'CardMissingError';

  /** @param isReached whether the server responded */
  constructor(
    explanation: string,
    readonly isReached: boolean,
    options?: ErrorOptions,
  ) {
    super(explanation, options);
  }
}

const URL_OPTIONS = {
  ...HEADER_OPTIONS,
  timeout: valueOption('<ms>', "Timeout for a running server's response", '10000'),
};

const FILE_OPTIONS = {
  server: valueOption('<key>', 'Key of the server, if the app in the file has several'),
};

const OPTIONS = { ...FILE_OPTIONS, ...URL_OPTIONS } as const;

const HELP: Help = {
  usage: ['card <url or file> [options]'],
  description:
    'Print the server card that clients use to discover a server. It is the public card of a running server, or the card that the app in a file such as dist/app.module.js would serve.',
  options: OPTIONS,
  exitCodes: {
    0: 'Success',
    1: 'The server has no card',
    2: 'Invalid usage, or the app cannot be created',
    4: 'The server is unavailable',
  },
};

const ALLOWED_OPTIONS: AllowedOptions = {
  ofUrls: Object.keys(URL_OPTIONS),
  ofFiles: Object.keys(FILE_OPTIONS),
};

const TIMEOUT: TimeoutLimits = { usualMs: 10_000, longestMs: 120_000 };

/** Prints a server's card: `nestjs-mcp-cli card <url or file>`. */
export const cardCommand: Command = {
  help: HELP,
  run: (args, terminal) =>
    runSafely({ args, terminal, usage: formatHelp(HELP), explain: explainMissing }, () =>
      runCard(args, terminal),
    ),
};

async function runCard(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const target = parseUrlOrFile(positionals, values, ALLOWED_OPTIONS);
  const card = isUrl(target)
    ? await fetchCard(parseEndpoint(target), {
        headers: readHeaders(values, terminal.environment).headers,
        timeoutMs: parseTimeout(values.timeout, TIMEOUT),
      })
    : await makeCard(target, values.server);
  terminal.print(formatVisibleJson(card));
  return ExitCode.success;
}

async function makeCard(file: string, key: string | undefined): Promise<object> {
  const { servers } = await readModuleReport(file);
  return selectServer(servers, key).card;
}

function explainMissing(error: unknown): Failure | undefined {
  return error instanceof CardMissingError
    ? { exitCode: error.isReached ? ExitCode.failure : ExitCode.connection, message: error.message }
    : undefined;
}

/** The settings for a card request. */
interface Requester {
  /** Extra request headers, such as those required by a gateway in front of the server. */
  readonly headers: GivenHeaders;
  readonly timeoutMs: number;
}

/**
 * Fetches a running server's card, without a token unless `asking.headers` contains one.
 *
 * @throws {CardMissingError} if the server has no card, or cannot be reached
 */
async function fetchCard(endpoint: URL, asking: Requester): Promise<object> {
  const url = buildCardUrl(endpoint);
  const { status, body, isComplete } = await ask(url, asking);
  if (status !== 200) {
    throw new CardMissingError(`There is no server card at "${url.href}": it responded with ${status}`, true);
  }
  if (!isComplete) {
    const bounds = `within ${asking.timeoutMs} ms and ${LONGEST_BODY_BYTES} bytes`;
    throw new CardMissingError(`The server card at "${url.href}" was not complete ${bounds}`, true);
  }
  const card = parseJsonObject(body);
  if (card === undefined)
    throw new CardMissingError(`The response from "${url.href}" is not a JSON object`, true);
  return card;
}

async function ask(url: URL, { headers, timeoutMs }: Requester): Promise<ProbeResponse> {
  try {
    return await sendProbe(
      url,
      { method: 'GET', headers: { accept: CARD_MEDIA_TYPE, ...headers } },
      timeoutMs,
    );
  } catch (cause) {
    if (!(cause instanceof ProbeError)) throw cause;
    const message = addFix(`The server at "${url.origin}" ${cause.reason}`, cause);
    throw new CardMissingError(message, false, { cause });
  }
}
