import { isAbsolute, join } from 'node:path';
import {
  describeBridge,
  describeTyped,
  describeUrl,
  type Entry,
  formatEnvReference,
  formatInputReference,
  formatShellReference,
  onlyFilled,
} from '../../lib/core/clients/describe-server.js';
import type { Client, ClientFacts, StdioConnection } from './client.interface.js';

/**
 * The clients whose configuration can be changed, in usage order. Each page describes a server's properties, the
 * file's location, and the values in which variables are replaced. Gemini CLI uses `httpUrl` for Streamable HTTP
 * (`url` is HTTP+SSE) and replaces `$NAME` and `${NAME}`. Windsurf replaces `${env:NAME}` in `command`, `args`,
 * `env`, `serverUrl`, `url` and `headers`. Zed's page has `url` and `headers`, or `command`, `args` and `env`, and no
 * variables.
 *
 * @see https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
 * @see https://cursor.com/docs/mcp
 * @see https://code.claude.com/docs/en/mcp
 * @see https://modelcontextprotocol.io/docs/develop/connect-local-servers
 * @see https://geminicli.com/docs/tools/mcp-server
 * @see https://docs.windsurf.com/windsurf/cascade/mcp
 * @see https://zed.dev/docs/ai/mcp
 */
export const CLIENTS: readonly Client[] = [
  {
    name: 'vscode',
    title: 'VS Code',
    member: 'servers',
    files: {
      project: ({ folder }) => join(folder, '.vscode', 'mcp.json'),
      user: (facts) => join(findApplicationData(facts), 'Code', 'User', 'mcp.json'),
    },
    describe: { http: describeTyped, stdio: describeTypedCommand },
    refer: formatInputReference,
    hasInputs: true,
    next: 'run "MCP: List Servers" in VS Code, and start it there',
  },
  {
    name: 'cursor',
    title: 'Cursor',
    member: 'mcpServers',
    files: {
      project: ({ folder }) => join(folder, '.cursor', 'mcp.json'),
      user: ({ home }) => join(home, '.cursor', 'mcp.json'),
    },
    describe: { http: describeUrl, stdio: describeTypedCommand },
    refer: formatEnvReference,
    next: 'turn it on in the Cursor settings, under MCP',
  },
  {
    name: 'claude-code',
    title: 'Claude Code',
    member: 'mcpServers',
    files: {
      project: ({ folder }) => join(folder, '.mcp.json'),
      user: ({ home }) => join(home, '.claude.json'),
    },
    describe: { http: describeTyped, stdio: describeTypedCommand },
    refer: formatShellReference,
    needsShell: true,
    next: 'restart Claude Code, and type /mcp',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    member: 'mcpServers',
    files: { user: (facts) => join(findApplicationData(facts), 'Claude', 'claude_desktop_config.json') },
    describe: { http: describeBridge, stdio: describeCommand },
    isBridged: true,
    next: 'restart Claude Desktop',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    member: 'mcpServers',
    files: {
      project: ({ folder }) => join(folder, '.gemini', 'settings.json'),
      user: ({ home }) => join(home, '.gemini', 'settings.json'),
    },
    describe: {
      http: ({ url, headers }) => ({ httpUrl: url, ...onlyFilled({ headers }) }),
      stdio: describeCommand,
    },
    refer: formatShellReference,
    next: 'restart Gemini CLI, and type /mcp',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    member: 'mcpServers',
    files: { user: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json') },
    describe: {
      http: ({ url, headers }) => ({ serverUrl: url, ...onlyFilled({ headers }) }),
      stdio: describeCommand,
    },
    refer: formatEnvReference,
    next: 'refresh the MCP server list in Cascade',
  },
  {
    name: 'zed',
    title: 'Zed',
    member: 'context_servers',
    files: {
      project: ({ folder }) => join(folder, '.zed', 'settings.json'),
      user: (facts) => join(findZedFolder(facts), 'settings.json'),
    },
    describe: { http: describeUrl, stdio: describeCommand },
    next: 'check the agent panel settings in Zed',
  },
];

function describeCommand({ command, args, env }: StdioConnection): Entry {
  return { command, args, ...onlyFilled({ env }) };
}

function describeTypedCommand(connection: StdioConnection): Entry {
  return { type: 'stdio', ...describeCommand(connection) };
}

/** The folder in which Electron stores the user's files. Unlike other programs, Electron ignores `XDG_CONFIG_HOME` on macOS. */
function findApplicationData(facts: ClientFacts): string {
  const { platform, environment, home } = facts;
  if (platform === 'win32') return environment['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return platform === 'darwin' ? join(home, 'Library', 'Application Support') : findConfigFolder(facts);
}

function findZedFolder(facts: ClientFacts): string {
  const { platform, home } = facts;
  if (platform === 'win32') return join(findApplicationData(facts), 'Zed');
  return join(platform === 'darwin' ? join(home, '.config') : findConfigFolder(facts), 'zed');
}

/** @see XDG Base Directory Specification */
function findConfigFolder({ environment, home }: ClientFacts): string {
  const { XDG_CONFIG_HOME: configured = '' } = environment;
  return isAbsolute(configured) ? configured : join(home, '.config');
}
