import { MetaKey } from '../../lib/core/protocol/meta-keys.js';
import { isObject, type JsonObject } from '../../lib/core/protocol/json-rpc.js';
import { ListMeter } from '../../lib/core/network/limited-fetch.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../lib/core/protocol/revisions.js';
import type { Terminal } from '../command.interface.js';
import { NEWEST_PER_REQUEST_VERSION } from '../../lib/core/doctor/probe/messages.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe-wire.js';
import type { GivenHeaders } from '../server/parse-header.js';
import { makeName } from '../visible-text.js';
import { RefusedError } from './refused.error.js';
import { assertAnswered } from './wire/read-result.js';
import { buildHandshake, INITIALIZED, type BenchWire, type McpRequest } from './wire/mcp-request.js';
import { ProbeConversation, type ProbeResponse, type ProbedServer } from './probe-conversation.js';

/** A server's capabilities in one revision. */
export interface ServedWire extends BenchWire {
  readonly capabilities: JsonObject;
}

/** The facts about a server that are determined before it is measured. */
export interface ServerProfile {
  /** The name and version that it reports. */
  readonly name: string;
  /** At most two of the supported revisions: the newest one without initialization and the newest one with it. */
  readonly wires: readonly ServedWire[];
  /** Whether it has sessions, and lets clients end them. */
  readonly sessions: 'none' | 'ended' | 'kept';
  readonly tools: readonly JsonObject[];
  /** The headers that every request requires. */
  readonly headers: GivenHeaders;
}

/** The number of pages of a list that are read. */
const MOST_PAGES = 100;

/** Reads a server's capabilities, logs in if necessary, and lets a caller send requests before its session ends. */
export class ServerProbe {
  readonly #talk: ProbeConversation;
  #session: GivenHeaders = {};

  constructor(
    private readonly probed: ProbedServer,
    terminal: Terminal,
  ) {
    this.#talk = new ProbeConversation(probed, terminal);
  }

  /**
   * @throws {ProbeError} if there is no MCP server
   */
  async take(): Promise<Omit<ServerProfile, 'headers' | 'sessions'>> {
    const perRequest = await this.#discover();
    const handshake = await this.#shakeHands();
    const found = [perRequest, handshake].flatMap((one) => ('wire' in one ? [one] : []));
    const [first] = found;
    if (first === undefined) throw explainMissingPackage([perRequest, handshake] as readonly ProbeResponse[]);
    const wires = found.map(({ wire }) => wire);
    return { name: readName(first.result), wires, tools: await this.#listTools(wires) };
  }

  /** Sends one request, with the token that it requires. */
  async ask(wire: BenchWire, request: McpRequest, signal?: AbortSignal): Promise<JsonObject> {
    const session = wire.isHandshake ? this.#session : {};
    const answer = await this.#talk.ask(wire, request, { session, signal });
    assertAnswered(answer);
    return answer.response?.['result'] as JsonObject;
  }

  /** Ends the session. Returns the outcome, and the headers that later requests need. */
  async end(): Promise<Pick<ServerProfile, 'headers' | 'sessions'>> {
    const isKept = this.#session['mcp-session-id'] !== undefined;
    const sessions = isKept ? ((await this.#talk.endSession(this.#session)) ? 'ended' : 'kept') : 'none';
    return { sessions, headers: this.#talk.headers };
  }

  async #discover(): Promise<Found | ProbeResponse> {
    const wire = { version: NEWEST_PER_REQUEST_VERSION, isHandshake: false };
    const answer = await this.#talk.ask(wire, { method: 'server/discover', params: {} });
    const result = answer.response?.['result'];
    const versions = isObject(result) ? result['supportedVersions'] : undefined;
    if (!isObject(result) || !Array.isArray(versions) || !versions.includes(wire.version)) return answer;
    return { wire: { ...wire, capabilities: readObject(result['capabilities']) }, result };
  }

  async #shakeHands(): Promise<Found | ProbeResponse> {
    const asked = { version: NEWEST_HANDSHAKE_REVISION.version, isHandshake: true };
    const answer = await this.#talk.ask(asked, buildHandshake(asked.version));
    const result = answer.response?.['result'];
    if (!isObject(result)) return answer;
    const { protocolVersion } = result;
    const version = typeof protocolVersion === 'string' ? protocolVersion : asked.version;
    const wire = { ...asked, version, capabilities: readObject(result['capabilities']) };
    this.#session = { 'mcp-protocol-version': version, ...answer.session };
    await this.#talk.tell(wire, INITIALIZED, this.#session);
    return { wire, result };
  }

  async #listTools(wires: readonly ServedWire[]): Promise<readonly JsonObject[]> {
    const wire = wires.find(({ capabilities }) => 'tools' in capabilities);
    if (wire === undefined) return [];
    const { url, responseLimit } = this.probed.server;
    const meter = new ListMeter(url.href, responseLimit);
    const tools: JsonObject[] = [];
    let cursor: unknown;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const result = await this.ask(wire, { method: 'tools/list', params });
      meter.add(result);
      if (Array.isArray(result['tools'])) tools.push(...result['tools'].filter(isObject));
      cursor = result['nextCursor'];
      if (typeof cursor !== 'string') break;
    }
    return tools;
  }
}

interface Found {
  readonly wire: ServedWire;
  readonly result: JsonObject;
}

/** If both requests fail, there is no MCP server at this URL. */
function explainMissingPackage(answers: readonly ProbeResponse[]): Error {
  const statuses = [...new Set(answers.map(({ status }) => status))];
  if (statuses.includes(403)) return new RefusedError(403);
  return new ProbeError(
    `responds to MCP clients with ${statuses.join(' and ')}: check the server, and the path of the URL`,
  );
}

function readName(result: JsonObject): string {
  const meta = readObject(result['_meta']);
  const { name, version } = readObject(result['serverInfo'] ?? meta[MetaKey.serverInfo]);
  return [name, version]
    .filter((part): part is string => typeof part === 'string')
    .map(makeName)
    .join(' ');
}

function readObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
