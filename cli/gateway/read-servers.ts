import { findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import type { GatewayOptions, GatewayServerOptions } from '../../lib/gateway/index.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { CLIENTS } from '../clients/clients.js';
import { ConfigurationError, ConfigurationFile } from '../clients/configuration-file.js';
import { parseConfiguration } from '../clients/edit-configuration.js';
import type { Terminal } from '../command.interface.js';

/** The properties that contain the servers in the files of clients. */
const MEMBERS = ['mcpServers', ...CLIENTS.map(({ member }) => member)];

const HTTP_TYPES: readonly string[] = ['http', 'streamable-http', 'streamableHttp', 'sse'];

/**
 * Reads the servers of a configuration file in the format of MCP clients. References to environment variables are replaced,
 * and servers that are disabled are left out.
 *
 * @throws {ConfigurationError} if the file cannot be read, or names the first property that is wrong
 */
export async function readServers(
  path: string,
  environment: Terminal['environment'],
): Promise<Pick<GatewayOptions, 'servers'>> {
  const { text, bytes } = await new ConfigurationFile(path).read();
  if (bytes === undefined) throw new ConfigurationError('The file does not exist');
  const root = parseConfiguration(text, { member: 'mcpServers', title: 'MCP clients' });
  const member = MEMBERS.find((name) => findNodeAtLocation(root, [name]) !== undefined) ?? 'mcpServers';
  const node = findNodeAtLocation(root, [member]);
  const entries = Object.entries((node && (getNodeValue(node) as object)) ?? {});
  const servers = entries.flatMap(([name, entry]) => {
    const server = buildServer(name, entry, environment);
    return server === undefined ? [] : [[name, server] as const];
  });
  if (servers.length > 0) return { servers: Object.fromEntries(servers) };
  throw new ConfigurationError(`The file has no servers: list at least one in "${member}"`);
}

function buildServer(
  option: string,
  entry: unknown,
  environment: Terminal['environment'],
): GatewayServerOptions | undefined {
  if (!isObject(entry)) throw new ConfigurationError(`"${option}" must be an object with "command" or "url"`);
  if (entry['disabled'] === true) return undefined;
  const { type, command, args, env, cwd, headers } = entry;
  // Gemini CLI and Windsurf have different properties for the URL.
  const url = entry['url'] ?? entry['httpUrl'] ?? entry['serverUrl'];
  assertType(option, { type, command, url });
  assertUnrestricted(option, entry);
  const given = Object.entries({ command, args, env, cwd, url, headers });
  // A process that gets a variable of this name resolves the reference itself.
  const own = isObject(env) ? Object.entries(env) : [];
  const variables = {
    ...environment,
    ...Object.fromEntries(own.filter(isRedefined).map(([name]) => [name, `\${${name}}`] as const)),
  };
  const resolved = given
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const known = name === 'env' ? environment : variables;
      return [name, resolveReferences(`${option}.${name}`, value, known)] as const;
    });
  // The gateway checks the values.
  return Object.fromEntries(resolved) as unknown as GatewayServerOptions;
}

/** Returns whether a process gets another value than the environment variable of the same name. */
function isRedefined([name, value]: readonly [string, unknown]): boolean {
  return value !== `\${${name}}` && value !== `\${env:${name}}`;
}

/** The properties with which clients select tools. Ignoring them would offer tools that the user has withheld. */
const SELECTIONS = ['includeTools', 'excludeTools', 'enabledTools', 'disabledTools'];

function assertUnrestricted(option: string, entry: { readonly [name: string]: unknown }): void {
  if (entry['enabled'] === false)
    throw new ConfigurationError(`"${option}.enabled" is not supported: use "disabled": true`);
  const found = SELECTIONS.find((name) => Array.isArray(entry[name]) && entry[name].length > 0);
  if (found === undefined) return;
  throw new ConfigurationError(
    `"${option}.${found}" is not supported, and all tools would be offered: select the tools in an application, or remove it`,
  );
}

function assertType(option: string, entry: { readonly [name: string]: unknown }): void {
  const { type } = entry;
  if (type === undefined) return;
  if (typeof type !== 'string' || (type !== 'stdio' && !HTTP_TYPES.includes(type))) {
    throw new ConfigurationError(
      `"${option}.type" must be "stdio", "http", "streamable-http" or "sse"; the gateway detects the transport`,
    );
  }
  const required = type === 'stdio' ? 'command' : 'url';
  if (entry[required] !== undefined) return;
  throw new ConfigurationError(`"${option}.${required}" is required for the type "${type}"`);
}

/** `${NAME}` of Claude Code and Gemini CLI, with a default after `:-`, and `${env:NAME}` of VS Code, Cursor and Windsurf. */
const REFERENCE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

type Variables = Terminal['environment'];

function resolveReferences(option: string, value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return resolveText(option, value, variables);
  if (Array.isArray(value)) {
    return value.map((one, index) => resolveReferences(`${option}[${index}]`, one, variables));
  }
  if (!isObject(value)) return value;
  const resolved = Object.entries(value).map(([name, one]) => {
    return [name, resolveReferences(`${option}.${name}`, one, variables)] as const;
  });
  return Object.fromEntries(resolved);
}

function resolveText(option: string, text: string, variables: Variables): string {
  if (text.includes('${input:')) {
    throw new ConfigurationError(
      `"${option}" refers to an input, which only VS Code can ask for: use an environment variable, such as "\${env:NAME}"`,
    );
  }
  return text.replace(REFERENCE, (_, name: string, fallback: string | undefined) => {
    const value = variables[name] ?? fallback;
    if (value !== undefined) return value;
    throw new ConfigurationError(
      `"${option}" refers to the environment variable "${name}", which is not set`,
    );
  });
}
