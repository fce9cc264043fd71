import { homedir } from 'node:os';
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { ExitCode, type Terminal } from '../command.interface.js';
import type { Failure } from '../run-safely.js';
import { makeVisible } from '../visible-text.js';
import type { Target } from './client-options.js';
import type { ClientFacts } from './client.interface.js';
import { ConfigurationError, ConfigurationFile } from './configuration-file.js';
import { isReference, isSecret, replaceSecret } from './secret-headers.js';

/** A string property whose name shows whether it is a secret. */
interface NamedString {
  readonly node: Node;
  readonly name: string;
  readonly value: string;
  /** The part of the line before the value. */
  readonly before?: string;
}

/** The form in which bridges accept headers. */
const HEADER = /^([\w-]+):\s*(.*)$/s;

/**
 * Masks the secrets of a configuration for output, which may end up in a log.
 *
 * @param secrets the names of further headers and variables to hide
 */
function redactSecrets(text: string, member: string, secrets: readonly string[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const servers = root && findNodeAtLocation(root, [member]);
  const hidden = listMembers(servers)
    .flatMap(([, server]) => listTexts(server))
    .filter(({ name, value }) => secrets.includes(name) || isSecret(name, value));
  return hidden
    .toSorted((one, other) => other.node.offset - one.node.offset)
    .reduce((shown, { node, name, value, before = '' }) => {
      const shownAs = JSON.stringify(before + replaceSecret(name, value, '[hidden]'));
      return shown.slice(0, node.offset) + shownAs + shown.slice(node.offset + node.length);
    }, text);
}

function listTexts(server: Node): readonly NamedString[] {
  const find = (name: string) => findNodeAtLocation(server, [name]);
  const named = [...listMembers(find('headers')), ...listMembers(find('env'))].map(([name, node]) => ({
    node,
    name,
    value: String(node.value),
  }));
  const args = (find('args')?.children ?? []).flatMap((node) => {
    const [, name, value = ''] = HEADER.exec(String(node.value)) ?? [];
    return name === undefined || isReference(value) ? [] : [{ node, name, value, before: `${name}:` }];
  });
  return [...named, ...args];
}

function listMembers(object: Node | undefined): readonly (readonly [name: string, value: Node])[] {
  return (object?.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [[String(key.value), value] as const],
  );
}

/** A planned configuration change. */
export interface Plan {
  readonly text: string;
  /** The names of headers and variables to mask. @default headers and variables that are named like a secret */
  readonly secrets?: readonly string[];
  /** Notes to print before the change is written. @default none */
  readonly notes?: readonly string[];
  /** The message if nothing changes. */
  readonly unchanged: string;
  /** The message after the change. */
  readonly done: string;
}

/** A change to a client's configuration. */
export interface Change {
  readonly target: Pick<Target, 'client' | 'scope' | 'isConfirmed' | 'isDryRun'>;
  readonly plan: (text: string) => Plan | Promise<Plan>;
}

/** Describes this process, in the folder in which it was started. */
export function describeProcess(environment: Terminal['environment']): ClientFacts {
  return { platform: process.platform, environment, home: homedir(), folder: process.cwd() };
}

/** Shows a change, asks for confirmation, and writes it. Returns the exit code. */
export async function changeConfiguration(
  { target, plan }: Change,
  facts: ClientFacts,
  terminal: Terminal,
): Promise<number> {
  const { client, scope } = target;
  const file = new ConfigurationFile(client.files[scope]?.(facts) ?? '');
  const before = await file.read();
  const { text: after, secrets = [], notes = [], unchanged, done } = await planFor(file, before.text, plan);
  if (after === before.text) return tell(terminal, unchanged);
  const [shownBefore, shownAfter] = [before.text, after].map((text) =>
    redactSecrets(text, client.member, secrets),
  );
  terminal.print(`${makeVisible(file.path)}\n${formatChange(shownBefore ?? '', shownAfter ?? '')}`);
  for (const note of notes) terminal.print(note);
  if (target.isDryRun) return ExitCode.success;
  if (!target.isConfirmed && !(await isWanted(terminal))) return ExitCode.failure;
  await file.replace(before, after);
  return tell(terminal, done);
}

/** Explains why a configuration cannot be changed. */
export function explainConfiguration(error: unknown): Failure | undefined {
  if (!(error instanceof ConfigurationError)) return undefined;
  return { exitCode: ExitCode.failure, message: error.message };
}

async function planFor({ path }: ConfigurationFile, text: string, plan: Change['plan']): Promise<Plan> {
  try {
    return await plan(text);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`${makeVisible(path)}: ${error.message}`, { cause: error });
  }
}

async function isWanted(terminal: Terminal): Promise<boolean> {
  const { keyboard } = terminal;
  if (keyboard?.isTerminal !== true) {
    terminal.complain(
      'Nothing was written, because confirmation requires a terminal: pass "--yes" to write without asking',
    );
    return false;
  }
  const answer = await keyboard.ask('Write it? [y/N] ');
  if (/^y(?:es)?$/i.test(answer?.trim() ?? '')) return true;
  terminal.complain('Nothing was written');
  return false;
}

function tell(terminal: Terminal, text: string): number {
  terminal.print(text);
  return ExitCode.success;
}

/** Formats a diff: removed lines with "-", added lines with "+". */
function formatChange(before: string, after: string): string {
  const [old, renewed] = [before, after].map(splitLines) as [string[], string[]];
  const shorter = Math.min(old.length, renewed.length);
  let start = 0;
  while (start < shorter && old[start] === renewed[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === renewed.at(-1 - end)) end += 1;
  const gone = old.slice(start, old.length - end).map((line) => `- ${line}`);
  const come = renewed.slice(start, renewed.length - end).map((line) => `+ ${line}`);
  return makeVisible([...gone, ...come].join('\n'));
}

function splitLines(text: string): string[] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .filter((line, _index, all) => all.length > 1 || line !== '');
}
