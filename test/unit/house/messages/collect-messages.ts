import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** A text of the source that somebody may read: a sentence, or a part of one. */
export interface Message {
  /** The file, relative to `lib`, or with the room beside it. */
  readonly file: string;
  /** What takes it: the class of an error, `fail`, `warn`, or any other function; empty if it is returned or kept. */
  readonly taker: string;
  /** With `…` for what is only known when it is written. */
  readonly text: string;
}

type Node = Readonly<Record<string, unknown>>;

/** What holds names of modules and types, not texts. */
const NO_TEXTS = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TsLiteralType',
]);

const FEWEST_WORDS = 3;

/** Collects the texts of all files of a folder, by their syntax. */
export function collectMessages(folder: string): readonly Message[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .flatMap((file) => collectOfSource(readFileSync(file, 'utf8'), file.replace(/^lib\//, '')));
}

/** Collects the texts of a source. */
export function collectOfSource(source: string, file: string): readonly Message[] {
  const { body } = parseSync(source, { syntax: 'typescript', decorators: true, target: 'es2022' });
  const messages: Message[] = [];
  visit(body, '', (text, taker) => {
    if (text.trim().split(/\s+/).length >= FEWEST_WORDS) messages.push({ file, taker, text });
  });
  return messages;
}

function visit(value: unknown, taker: string, note: (text: string, taker: string) => void): void {
  if (Array.isArray(value)) return value.forEach((one) => visit(one, taker, note));
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  if (NO_TEXTS.has(String(node['type']))) return;
  const text = readText(node);
  if (text !== undefined) note(text, taker);
  const inner = findTaker(node) ?? taker;
  // A text that is joined by "+" is one text.
  const children = text !== undefined && node['type'] === 'BinaryExpression' ? [] : Object.entries(node);
  for (const [key, child] of children) if (key !== 'span') visit(child, inner, note);
}

function readText(node: Node): string | undefined {
  switch (node['type']) {
    case 'StringLiteral':
      return String(node['value']);
    case 'TemplateLiteral':
      return (node['quasis'] as readonly Node[]).map(({ cooked }) => String(cooked)).join('…');
    case 'BinaryExpression':
      return node['operator'] === '+' ? joinTexts(node) : undefined;
    default:
      return undefined;
  }
}

function joinTexts({ left, right }: Node): string | undefined {
  const texts = [readText(left as Node), readText(right as Node)];
  return texts.every((text) => text === undefined) ? undefined : texts.map((text) => text ?? '…').join('');
}

/** Names what takes the arguments of a call. */
function findTaker({ type, callee }: Node): string | undefined {
  if (type !== 'NewExpression' && type !== 'CallExpression') return undefined;
  const { type: kind, value, property } = callee as Node;
  if (kind === 'Super') return 'super';
  const name = kind === 'MemberExpression' ? (property as Node)['value'] : value;
  return typeof name === 'string' ? name : undefined;
}
