import * as check from '../../core/checks/option-checks.js';
import { asserting, type Check } from '../../core/checks/option-checks.js';
import { nested, optionGroup, type Settings } from '../../core/checks/option-group.js';
import { APP_MIME_TYPE, APPS_EXTENSION_ID } from '../../core/protocol/apps/app-meta.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { McpConfigurationError } from '../../server/settings/mcp-configuration.error.js';
import type {
  AccessOptions,
  ConcurrencyOptions,
  ToolOptions,
} from '../../server/settings/handler-options.interface.js';
import type { VisibilityContext } from '../../server/settings/scoped-call.interface.js';
import type { McpClientOptions } from '../../client/module/index.js';

/** What can be overridden in another server's entry. */
interface AnyEntryChanges extends Omit<AccessOptions, 'concurrency'> {
  /** The name after the prefix. @default the server's */
  readonly name?: string;
  /** @default the server's */
  readonly title?: string;
  /** @default the server's */
  readonly description?: string;
  /** Tags that group entries. @default none */
  readonly tags?: readonly string[];
  /** Decides whether a caller sees the entry. @default the server's `visible` */
  readonly visible?: (context: VisibilityContext) => boolean | Promise<boolean>;
  /** The maximum size of a result, in bytes. @default the server's `resultBytes` */
  readonly resultBytes?: number;
}

/** Changes to another server's tool. */
export interface GatewayToolChanges extends AnyEntryChanges {
  /** Hints about the tool's behavior, which override the server's one by one. @default the server's */
  readonly annotations?: ToolOptions['annotations'];
  /** The timeout of a call, in milliseconds. @default the server's `callTimeoutMs` */
  readonly timeoutMs?: number;
}

/** Changes to another server's resource, resource template or prompt. */
export interface GatewayEntryChanges extends Omit<AnyEntryChanges, 'name'> {
  /** For a prompt, the name after the prefix; otherwise the programmatic name. @default the server's */
  readonly name?: string;
}

/** An entry in another server's list. */
export interface GatewayEntry {
  /** The name; for a resource, the URI or URI template. */
  readonly key: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly annotations?: { readonly [name: string]: unknown } | undefined;
}

/** Selects the entries of one kind that the gateway offers. */
export interface GatewaySelection {
  /** The names (URIs for resources) to offer. @default all */
  readonly include?: readonly string[];
  /** The names (URIs for resources) not to offer. @default [] */
  readonly exclude?: readonly string[];
}

/** Selects the tools that the gateway offers, and changes them. */
export interface GatewayToolSelection extends GatewaySelection {
  /** Changes keyed by name, or a function that returns them for a tool. @default {} */
  readonly change?:
    | { readonly [name: string]: GatewayToolChanges }
    | ((entry: GatewayEntry) => GatewayToolChanges | undefined);
}

/** Selects the resources or prompts that the gateway offers, and changes them. */
export interface GatewayEntrySelection extends GatewaySelection {
  /** Changes keyed by name (or resource URI), or a function that returns them for an entry. @default {} */
  readonly change?:
    | { readonly [key: string]: GatewayEntryChanges }
    | ((entry: GatewayEntry) => GatewayEntryChanges | undefined);
}

/** When calls to a failing server are rejected without reaching it. */
export interface GatewayCircuitOptions {
  /** The number of consecutive failures after which calls are rejected. @default 5 */
  readonly failures?: number;
  /** How long calls are rejected before one may try the server again, in milliseconds. @default 10000 */
  readonly resetMs?: number;
}

/** Limits for what a server may send to the gateway. */
export interface GatewayLimits {
  /** The maximum number of entries of each kind. Entries beyond it are not offered. @default 2000 */
  readonly entries?: number;
  /** The maximum size of a list entry, in bytes of JSON. Larger entries are not offered. @default 65536 */
  readonly entryBytes?: number;
  /** The maximum number of log entries and progress notifications per second. The rest are dropped. @default 100 */
  readonly notificationsPerSecond?: number;
  /**
   * The maximum number of calls waiting for their clients to respond to an input request; each caller may have a tenth.
   * @default 1000
   */
  readonly waitingCalls?: number;
  /** The minimum time between two reads of the lists, and between two updates of a resource, in milliseconds. @default 1000 */
  readonly refreshMs?: number;
}

/** How the gateway offers one server, in addition to its client's options. */
export interface GatewayServerExtras extends Omit<AccessOptions, 'concurrency'> {
  /** The prefix of tool and prompt names. @default the server's key and `_` */
  readonly prefix?: string;
  /** The prefix of URIs: the start of a URI scheme. @default the server's key in lowercase and `+`; '' without a `prefix` */
  readonly uriPrefix?: string;
  /**
   * On whose behalf the gateway calls the server. With `caller`, each caller's token is exchanged for a token for the
   * server (RFC 8693), unless `exchange` is `false`, and each caller has a separate connection. The caller's own token is
   * never sent.
   * @default 'application'
   */
  readonly identity?: 'application' | 'caller';
  /** Decides whether a caller sees the server's entries. @default visible to all callers */
  readonly visible?: (context: VisibilityContext) => boolean | Promise<boolean>;
  /** The tools to offer; `false` offers none. @default all */
  readonly tools?: false | GatewayToolSelection;
  /** The resources and resource templates to offer; `false` offers none. @default all */
  readonly resources?: false | GatewayEntrySelection;
  /** The prompts to offer; `false` offers none. @default all */
  readonly prompts?: false | GatewayEntrySelection;
  /** Whether the apps of the server's tools are offered, which are pages that hosts display. @default false */
  readonly apps?: boolean;
  /**
   * The server's input requests that are forwarded to clients. Roots apply to a whole connection, which callers may share.
   * @default ['elicitation', 'sampling'], and 'roots' with the identity 'caller'
   */
  readonly inputRequests?: readonly ('elicitation' | 'sampling' | 'roots')[];
  /**
   * Whether calls to a tool whose definition has changed are rejected until it is confirmed with `McpGateway.confirm`.
   * An object contains the digests of the confirmed definitions, keyed by name; all other tools are rejected too.
   * @default false
   */
  readonly pinned?: boolean | { readonly [tool: string]: string };
  /** The maximum duration of a call, in milliseconds. @default the server's `callTimeoutMs` */
  readonly callTimeoutMs?: number;
  /** The maximum size of a result, in bytes. @default the server's `limits.resultBytes` */
  readonly resultBytes?: number;
  /** How many calls to the server may run concurrently. @default { max: 100, queue: 100 } */
  readonly concurrency?: ConcurrencyOptions;
  /** When calls are rejected because the server fails repeatedly. @default {} */
  readonly circuit?: GatewayCircuitOptions;
  /** Limits for what the server may send. @default {} */
  readonly limits?: GatewayLimits;
  /** How often the lists are read again, in milliseconds. With 0, they are only read again after a notification. @default 0 */
  readonly pollMs?: number;
}

/** A server behind the gateway: its client's options, and how its entries are offered. */
export type GatewayServerOptions = McpClientOptions & GatewayServerExtras;

/** Options of a gateway. */
export interface GatewayOptions {
  /** The servers, keyed by client name. */
  readonly servers: { readonly [name: string]: GatewayServerOptions };
}

/** Options of the module rather than the gateway itself. */
export interface GatewayModuleExtras {
  /** The key of this application's server that offers the entries. @default the default server */
  readonly server?: string;
}

type PlainOption = 'include' | 'change';

const changes: Check = (option, value) => {
  if (typeof value !== 'function' && !isObject(value)) check.fail(option, 'must be an object or a function');
};

const SELECTION = optionGroup<GatewayEntrySelection, PlainOption>({
  include: check.list(check.nonEmptyString),
  exclude: [check.list(check.nonEmptyString), []],
  change: changes,
});

const CIRCUIT = optionGroup<GatewayCircuitOptions>({
  failures: [check.positive, 5],
  resetMs: [check.milliseconds, 10_000],
});

const LIMITS = optionGroup<GatewayLimits>({
  entries: [check.positive, 2000],
  entryBytes: [check.positive, 65_536],
  notificationsPerSecond: [check.positive, 100],
  waitingCalls: [check.positive, 1000],
  refreshMs: [check.millisecondsOrNone, 1000],
});

const namePrefix: Check = (option, value) => {
  if (typeof value !== 'string' || !/^[A-Za-z0-9_.-]{0,64}$/.test(value)) {
    check.fail(option, 'must consist of at most 64 letters, digits, "_", "-" and ".", such as "files_"');
  }
};

const schemePrefix: Check = (option, value) => {
  if (typeof value !== 'string' || !/^(?:[a-z][a-z0-9.-]{0,63}\+)?$/.test(value)) {
    check.fail(option, 'must be the start of a URI scheme and end with "+", such as "files+"');
  }
};

const digests: Check = (option, value) => {
  if (typeof value === 'boolean') return;
  if (!isObject(value) || !Object.values(value).every((digest) => /^[\w-]{43}$/.test(String(digest)))) {
    check.fail(option, 'must be true, false or an object with digests from "McpGateway.digests()"');
  }
};

const SHARED_KINDS = ['elicitation', 'sampling'] as const;
const KINDS = [...SHARED_KINDS, 'roots'] as const;

type OpenExtra =
  'prefix' | 'uriPrefix' | 'visible' | 'inputRequests' | 'callTimeoutMs' | 'resultBytes' | 'requiredScopes';

const EXTRAS = optionGroup<GatewayServerExtras, OpenExtra>({
  prefix: namePrefix,
  uriPrefix: schemePrefix,
  identity: [check.oneOf('application', 'caller'), 'application'],
  visible: check.callable,
  tools: [nested(check.unlessFalse(SELECTION.check), SELECTION), {}],
  resources: [nested(check.unlessFalse(SELECTION.check), SELECTION), {}],
  prompts: [nested(check.unlessFalse(SELECTION.check), SELECTION), {}],
  apps: [check.flag, false],
  inputRequests: check.list(check.oneOf(...KINDS)),
  pinned: [digests, false],
  callTimeoutMs: check.milliseconds,
  resultBytes: check.positive,
  concurrency: [check.object, { max: 100, queue: 100 }],
  circuit: [CIRCUIT, {}],
  limits: [LIMITS, {}],
  pollMs: [check.millisecondsOrNone, 0],
  requiredScopes: check.list((option, value) => {
    if (typeof value !== 'string' && typeof value !== 'function')
      check.fail(option, 'must be a scope or a function that returns scopes');
  }),
  isPublic: [check.flag, false],
});

const servers: Check = (option, value) => {
  check.object(option, value);
  for (const [name, server] of Object.entries(value as object)) {
    if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name)) {
      check.fail(
        `${option}.${name}`,
        'must start with a letter, and consist of letters, digits, "_", "-" and "."',
      );
    }
    check.object(`${option}.${name}`, server);
    EXTRAS.check(`${option}.${name}`, splitServer(server as GatewayServerOptions).extras);
  }
};

const GATEWAY = optionGroup<GatewayOptions>({
  servers: check.required(servers, '{ files: { command: "some-file-server" } }'),
});

/** A server's options with all defaults filled in. */
export interface GatewayServerSettings extends Settings<GatewayServerExtras, OpenExtra> {
  readonly name: string;
  readonly prefix: string;
  readonly uriPrefix: string;
  readonly inputRequests: NonNullable<GatewayServerExtras['inputRequests']>;
  readonly client: McpClientOptions;
  /** The URI prefixes of the gateway's other servers. */
  readonly otherUriPrefixes: readonly string[];
  /** Whether apps of the gateway's other servers are offered, but not this one's. */
  readonly isClosedToApps: boolean;
  readonly circuit: Required<GatewayCircuitOptions>;
  readonly limits: Required<GatewayLimits>;
}

/** Separates a server's options from its client's options. */
function splitServer(server: GatewayServerOptions): {
  extras: GatewayServerExtras;
  client: McpClientOptions;
} {
  const names = new Set(Object.keys(EXTRAS.rows));
  const entries = Object.entries(server);
  const extras = Object.fromEntries(entries.filter(([name]) => names.has(name)));
  const client = Object.fromEntries(entries.filter(([name]) => !names.has(name)));
  return { extras, client: client as unknown as McpClientOptions };
}

/**
 * Checks the options of a gateway and fills in defaults.
 *
 * @throws {McpConfigurationError} for the first invalid option
 */
export function buildGatewaySettings(options: GatewayOptions): readonly GatewayServerSettings[] {
  asserting(McpConfigurationError, () => GATEWAY.check('gateway', options));
  const settings = Object.entries(GATEWAY.build(options).servers).map(([name, server]) =>
    buildServer(name, server),
  );
  assertDistinct(settings);
  const hasApps = settings.some(({ apps }) => apps);
  return settings.map((one) => ({
    ...one,
    otherUriPrefixes: settings.filter((other) => other !== one).map(({ uriPrefix }) => uriPrefix),
    isClosedToApps: hasApps && !one.apps,
  }));
}

function buildServer(
  name: string,
  server: GatewayServerOptions,
): Omit<GatewayServerSettings, 'otherUriPrefixes' | 'isClosedToApps'> {
  const { extras, client } = splitServer(server);
  const built = EXTRAS.build(extras);
  const { prefix = `${name}_` } = built;
  const scheme = name.toLowerCase().replaceAll('_', '-');
  const { uriPrefix = prefix === '' ? '' : `${scheme}+` } = built;
  if (built.identity === 'caller' && !('url' in client) && client.exchange !== false) {
    throw new McpConfigurationError(
      `gateway.servers.${name}.identity`,
      'cannot be "caller" for a server run as a process, which accepts no tokens: set "exchange" to false, and each caller has a process',
    );
  }
  const { circuit, limits, inputRequests = built.identity === 'caller' ? KINDS : SHARED_KINDS } = built;
  return {
    ...built,
    name,
    prefix,
    uriPrefix,
    inputRequests,
    client: built.apps ? declareApps(client) : client,
    circuit: CIRCUIT.build(circuit),
    limits: LIMITS.build(limits),
  };
}

/** Servers only list apps for clients that declare them. */
function declareApps(client: McpClientOptions): McpClientOptions {
  const { capabilities } = client;
  const extensions = { [APPS_EXTENSION_ID]: { mimeTypes: [APP_MIME_TYPE] }, ...capabilities?.extensions };
  return { ...client, capabilities: { ...capabilities, extensions } };
}

/** If two servers had the same URI prefix, one could serve the other's resources. */
function assertDistinct(all: readonly Pick<GatewayServerSettings, 'name' | 'uriPrefix'>[]): void {
  const owners = new Map<string, string>();
  for (const { name, uriPrefix } of all) {
    const other = owners.get(uriPrefix);
    if (other !== undefined) {
      throw new McpConfigurationError(
        `gateway.servers.${name}.uriPrefix`,
        `is "${uriPrefix}", which "${other}" already uses: set a different one for each server`,
      );
    }
    owners.set(uriPrefix, name);
  }
}
