import { posix } from 'node:path';
import { maskSource } from '../application/masked-source.js';
import type { Project } from '../application/project.interface.js';

/** Where applications of the Nest CLI listen. */
const USUAL_PORT = 3000;

/** Finds the port in the source that starts an application, such as that in `listen(process.env.PORT ?? 3000)`. */
export function findPort(project: Project, sourceRoot: string): number {
  const source = project.read(posix.join(sourceRoot, 'main.ts')) ?? '';
  const call = /\.\s*listen\s*\(/.exec(maskSource(source));
  if (call === null) return USUAL_PORT;
  const [first = ''] = source.slice(call.index + call[0].length).split(/[,)]/);
  const port = Number(/\b\d{2,5}\b/.exec(first)?.[0] ?? USUAL_PORT);
  return port > 0 && port < 65_536 ? port : USUAL_PORT;
}
