import { ApplicationError } from '../application/application.error.js';
import { insertImports } from '../application/edit-module.js';
import { maskSource } from '../application/masked-source.js';
import { insertAll, insertMember, readObjectLiteral } from '../application/object-literal.js';
import type { SourceStyle } from '../application/source-style.js';
import { findCalls, selectServer } from './find-server.js';
import type { NeededOption } from './handler-kind.interface.js';

/** An option that a server must have. */
export interface ServerEdit {
  readonly option: NeededOption;
  /** The key of the server; the default one without it. */
  readonly key: string | undefined;
  /** What the class is imported by, if it is the value. */
  readonly from: string;
  readonly style: SourceStyle;
}

/** Writes an option as a member of the options of the server. */
export function formatOption({ name, in: outer, value }: NeededOption): string {
  return outer === undefined ? `${name}: ${value}` : `${outer}: { ${name}: ${value} }`;
}

/**
 * Adds an option to a server in the source of its module; what is there already stays. Nothing if the options are
 * not written out.
 *
 * @throws {ApplicationError} if the option has another value
 */
export function editServer(text: string, { option, key, from, style }: ServerEdit): string | undefined {
  const server = selectServer(findCalls({ path: '', text }, ['forRoot']), key);
  const found = server?.options;
  if (found === undefined) return undefined;
  const masked = maskSource(text);
  const name = option.in ?? option.name;
  const value = found.members.get(name);
  const imports = option.isClass ? insertImports(text, [{ name: option.value, from }], style) : [];
  if (value === undefined) {
    if (!found.isComplete) return undefined;
    return insertAll(text, [insertMember(masked, found.object, formatOption(option)), ...imports]);
  }
  if (option.in === undefined) return hasValue(text.slice(value.start, value.end), option) ? text : undefined;
  const inner = masked.charAt(value.start) === '{' ? readObjectLiteral(masked, value.start) : undefined;
  if (inner === undefined || inner.object.end !== value.end - 1) return undefined;
  const given = inner.members.get(option.name);
  if (given !== undefined) {
    assertSame(text.slice(given.start, given.end), option);
    return text;
  }
  if (!inner.isComplete) return undefined;
  const member = `${option.name}: ${option.value}`;
  return insertAll(text, [insertMember(masked, inner.object, member), ...imports]);
}

/** `false` switches off what is needed; an object is the same with settings. */
function hasValue(given: string, { value }: NeededOption): boolean {
  return given === value || given.startsWith('{');
}

function assertSame(given: string, { in: outer, name, value }: NeededOption): void {
  if (given === value) return;
  throw new ApplicationError(
    `"${outer}.${name}" of the server must be "${value}", and is "${given}": have one ask the other, or give "--skip-import"`,
  );
}
