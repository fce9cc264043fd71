import type { CommandEntry } from './command.interface.js';

/** Every command of the command line, in the order of the usage. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    usage: 'init',
    summary: 'adds a server and a first tool to the Nest application in this folder',
    load: async () => (await import('./init/init.command.js')).initCommand,
  },
  {
    name: 'migrate',
    usage: 'migrate',
    summary: 'rewrites the application in this folder from "@rekog/mcp-nest" to this package',
    load: async () => (await import('./migrate/migrate.command.js')).migrateCommand,
  },
  {
    name: 'dev',
    usage: 'dev',
    summary: 'starts the application in this folder by its watch script, and shows what it offers and does',
    load: async () => (await import('./dev/dev.command.js')).devCommand,
  },
  {
    name: 'doctor',
    usage: 'doctor <url or file>',
    summary: 'probes a running server, or examines the settings of an application, and names each fault',
    load: async () => (await import('./doctor/doctor.command.js')).doctorCommand,
  },
  {
    name: 'lint',
    usage: 'lint <url or file>',
    summary: 'judges what a server lists, as models and hosts see it',
    load: async () => (await import('./lint/lint.command.js')).lintCommand,
  },
  {
    name: 'bench',
    usage: 'bench <url>',
    summary: 'measures how fast a running server answers, beside a bare one on this machine',
    load: async () => (await import('./bench/bench.command.js')).benchCommand,
  },
  {
    name: 'login',
    usage: 'login <url>',
    summary: 'logs in to a server in a browser, and keeps the tokens',
    load: async () => (await import('./login/login.command.js')).loginCommand,
  },
  {
    name: 'tools',
    usage: 'tools <url>',
    summary: 'lists the tools of a server and their arguments',
    load: async () => (await import('./tools/tools.command.js')).toolsCommand,
  },
  {
    name: 'call',
    usage: 'call <url> <tool> [key=value ...]',
    summary: 'calls a tool, shows its progress and asks you its questions',
    load: async () => (await import('./call/call.command.js')).callCommand,
  },
  {
    name: 'resources',
    usage: 'resources <url> [uri]',
    summary: 'lists the resources of a server, or reads one',
    load: async () => (await import('./resources/resources.command.js')).resourcesCommand,
  },
  {
    name: 'prompts',
    usage: 'prompts <url> [prompt] [key=value ...]',
    summary: 'lists the prompts of a server, or gets one',
    load: async () => (await import('./prompts/prompts.command.js')).promptsCommand,
  },
  {
    name: 'card',
    usage: 'card <url or file>',
    summary: 'prints the card by which a server is found',
    load: async () => (await import('./card/card.command.js')).cardCommand,
  },
  {
    name: 'server-json',
    usage: 'server-json <file>',
    summary: 'makes the "server.json" by which the registry lists a server, or checks it',
    load: async () => (await import('./server-json/server-json.command.js')).serverJsonCommand,
  },
  {
    name: 'logout',
    usage: 'logout <url>',
    summary: 'deletes the tokens of a login, and revokes them',
    load: async () => (await import('./logout/logout.command.js')).logoutCommand,
  },
  {
    name: 'add',
    usage: 'add <client> <url>',
    summary: 'writes a server into the configuration of a client, such as VS Code or Cursor',
    load: async () => (await import('./clients/add.command.js')).addCommand,
  },
  {
    name: 'remove',
    usage: 'remove <client> [url]',
    summary: 'removes a server from the configuration of a client',
    load: async () => (await import('./clients/remove.command.js')).removeCommand,
  },
];
