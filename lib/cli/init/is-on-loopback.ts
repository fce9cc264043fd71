import { posix } from 'node:path';
import { isLoopbackHost } from '../../core/oauth/secure-url.js';
import { findClosing, maskSource, splitMembers } from '../application/masked-source.js';
import type { Project } from '../application/project.interface.js';

/** A text at the end of an expression, such as that in `process.env.HOST ?? '127.0.0.1'`. */
const LAST_TEXT = /(?:^|\?\?\s*|\|\|\s*)(['"`])([^'"`$]*)\1$/;

/** Tells whether the source that starts an application listens on this machine alone, as far as it shows that. */
export function isOnLoopback(project: Project, sourceRoot: string): boolean {
  const source = project.read(posix.join(sourceRoot, 'main.ts')) ?? '';
  const host = findHost(source, maskSource(source));
  return host !== undefined && isLoopbackHost(host.includes(':') ? `[${host}]` : host);
}

function findHost(source: string, masked: string): string | undefined {
  const call = /\.\s*listen\s*\(/.exec(masked);
  if (call === null) return undefined;
  const opening = call.index + call[0].length - 1;
  const [first, second] = splitArguments(source, masked, opening);
  const named = first?.startsWith('{') === true ? findMember(first) : second;
  return LAST_TEXT.exec(named ?? '')?.[2];
}

function splitArguments(source: string, masked: string, opening: number): readonly string[] {
  const end = findClosing(masked, opening);
  if (end === undefined) return [];
  return splitMembers(masked, { start: opening + 1, end }).map((span) => source.slice(span.start, span.end));
}

/** Fastify takes an object: `listen({ port: 3000, host: '127.0.0.1' })`. */
function findMember(object: string): string | undefined {
  const members = splitArguments(object, maskSource(object), 0);
  return members.find((member) => /^host\s*:/.test(member))?.replace(/^host\s*:\s*/, '');
}
