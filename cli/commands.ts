import type { CommandEntry } from './command.interface.js';

/** All commands, in `--help` order. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    usage: 'init',
    summary: 'Add an MCP server and a sample tool to this app',
    load: async () => (await import('./init/init.command.js')).initCommand,
  },
  {
    name: 'migrate',
    usage: 'migrate',
    summary: 'Migrate this app from "@rekog/mcp-nest"',
    load: async () => (await import('./migrate/migrate.command.js')).migrateCommand,
  },
  {
    name: 'dev',
    usage: 'dev',
    summary: 'Run the watch script of this app, and show its capabilities, calls and errors',
    load: async () => (await import('./dev/dev.command.js')).devCommand,
  },
  {
    name: 'doctor',
    usage: 'doctor <url or file>',
    summary: 'Examine a running server, or the settings of an app, and explain how to fix problems',
    load: async () => (await import('./doctor/doctor.command.js')).doctorCommand,
  },
  {
    name: 'lint',
    usage: 'lint <url or file>',
    summary: "Lint a server's tools, prompts and resources, as models and hosts see them",
    load: async () => (await import('./lint/lint.command.js')).lintCommand,
  },
  {
    name: 'bench',
    usage: 'bench <url>',
    summary: 'Measure the performance of a running server against a baseline',
    load: async () => (await import('./bench/bench.command.js')).benchCommand,
  },
  {
    name: 'login',
    usage: 'login <url>',
    summary: 'Log in to a server in the browser, and store the tokens',
    load: async () => (await import('./login/login.command.js')).loginCommand,
  },
  {
    name: 'tools',
    usage: 'tools <url>',
    summary: "List a server's tools and their arguments",
    load: async () => (await import('./tools/tools.command.js')).toolsCommand,
  },
  {
    name: 'call',
    usage: 'call <url> <tool> [key=value ...]',
    summary: 'Call a tool, show its progress, and answer its elicitation requests',
    load: async () => (await import('./call/call.command.js')).callCommand,
  },
  {
    name: 'resources',
    usage: 'resources <url> [uri]',
    summary: "List a server's resources, or read one",
    load: async () => (await import('./resources/resources.command.js')).resourcesCommand,
  },
  {
    name: 'prompts',
    usage: 'prompts <url> [prompt] [key=value ...]',
    summary: "List a server's prompts, or get one",
    load: async () => (await import('./prompts/prompts.command.js')).promptsCommand,
  },
  {
    name: 'gateway',
    usage: 'gateway <file>',
    summary: 'Run a gateway for the MCP servers in a configuration file',
    load: async () => (await import('./gateway/gateway.command.js')).gatewayCommand,
  },
  {
    name: 'card',
    usage: 'card <url or file>',
    summary: 'Print the server card that clients use to discover a server',
    load: async () => (await import('./card/card.command.js')).cardCommand,
  },
  {
    name: 'server-json',
    usage: 'server-json <file>',
    summary: 'Create the "server.json" for the MCP registry, or check that it is up to date',
    load: async () => (await import('./server-json/server-json.command.js')).serverJsonCommand,
  },
  {
    name: 'logout',
    usage: 'logout <url>',
    summary: 'Revoke and delete the stored tokens of a server',
    load: async () => (await import('./logout/logout.command.js')).logoutCommand,
  },
  {
    name: 'add',
    usage: 'add <client> <url>',
    summary: 'Add a server to the configuration of an MCP client, such as VS Code or Cursor',
    load: async () => (await import('./clients/add.command.js')).addCommand,
  },
  {
    name: 'remove',
    usage: 'remove <client> [url]',
    summary: 'Remove a server from the configuration of an MCP client',
    load: async () => (await import('./clients/remove.command.js')).removeCommand,
  },
];
